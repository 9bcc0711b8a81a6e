# Draws every plot that results allow. compare starts it: the folder to draw into and the result
# files as arguments, a plan as JSON on stdin, a list of the plots on stdout. With --check it only
# tries whether this Python has what is needed.
#
# The plan, where a file is its number among the arguments:
#   {png, sides: [{label, theory: {figure: {gbs, measured}},
#             runs: [{file, memory, identity (of himeno: {})}]}],
#    published: [{where: {}, low, high (null: none), text, label, note}],
#    marks: [{side, identity: {}, low, high (null: none), ours, text, label, differs}],
#    scaling: [{weak, side, label, unit, ranks, processors, rates, predicted (rates, or null),
#               efficiency}],
#    model: [{machine, case, predicted, measured, of}],
#    predictions: null or {what, machines: [{machine, memories: [{memory, seconds, least, most,
#                                                                 causes: {name: seconds}}]}],
#                          scaling: as above}}
import base64
import gc
import json
import os
import sys

if __name__ == "__main__" and sys.argv[1:] == ["--check"]:
    import h5py  # noqa: F401  (pyplot would look for fonts, which takes its time)
    import matplotlib  # noqa: F401

    sys.exit()

import compute
import exchange
import hierarchy
import himeno
import link
import losses
import model
import overlap
import patterns
import results
import roofline
import scaling
import transpose

# The order of the page, and the name of each group there.
GROUPS = [
    ("Himeno", himeno),
    ("Model", model),
    ("Machines", roofline),
    ("Scaling", scaling),
    ("Link and memory", link),
    ("Link and memory", overlap),
    ("Messages", exchange),
    ("Pages and migration", patterns),
    ("Pages and migration", losses),
    ("Transpose", transpose),
    ("Inside the GPU", hierarchy),
    ("Instructions", compute),
]


class Context:
    """What the plots are drawn from."""

    def __init__(self, plan, files):
        self.sides = [results.Side(side, files) for side in plan["sides"]]
        self.published = plan["published"]
        self.marks = plan["marks"]
        self.predictions = plan["predictions"]
        self.scaling = plan["scaling"] or (self.predictions or {}).get("scaling", [])
        self.model = plan["model"]

    def beside(self, drawn):
        """Marks of published figures beside what is drawn, [(side, its identity or a part of it)]:
        each once, and as one of the same case where one of them is."""
        found = {}
        for side, identity in drawn:
            for mark in self.marks:
                whole = mark["identity"].items()
                if mark["side"] != side.label or not identity.items() <= whole:
                    continue
                name = (mark["label"], mark["low"], mark["high"])
                if name not in found or not mark["differs"]:
                    found[name] = mark
        return list(found.values())


def all_plots(context):
    """(group, plot) of each, in the order of the page."""
    for group, module in GROUPS:
        for plot in filter(None, module.plots(context)):
            yield group, plot


def draw():
    gc.disable()  # it would take a tenth of the time
    plan = results.shortened(json.load(sys.stdin))
    folder, *files = sys.argv[1:]
    drawn = []
    for group, plot in all_plots(Context(plan, files)):
        plot.save(folder, plan["png"])
        with open(os.path.join(folder, plot.name + ".svg"), "rb") as file:
            svg = base64.b64encode(file.read()).decode()
        members = ("name", "title", "caption", "lead")
        drawn.append({"group": group, "svg": svg} | {m: getattr(plot, m) for m in members})
    if drawn and not any(plot["lead"] for plot in drawn):
        for plot in drawn[:3]:
            plot["lead"] = True
    json.dump(drawn, sys.stdout)


if __name__ == "__main__":
    try:
        draw()
    except KeyError as member:
        sys.exit(f"a result lacks {member}")
