# Draws every plot that results allow. compare starts it: the folder to draw into and the result files as arguments, a plan
# as JSON on stdin, a list of the plots on stdout.
#
# The plan, where a file is its number among the arguments: {sides: [{label, theory: {figure: {gbs, measured}}, runs: [{file, run, memory}]}],
#            published: [{program, where: {}, low, high, unit, label, note}], scaling: [{weak, side, label, unit, ranks, rates, efficiency}]}
import base64
import json
import os
import sys

import hierarchy
import himeno
import link
import patterns
import results
import scaling
import transpose


class Context:
    """What the plots are drawn from."""

    def __init__(self, plan, files):
        self.sides = [results.Side(side, files) for side in plan["sides"]]
        self.published = plan["published"]
        self.scaling = plan["scaling"]

    def published_for(self, program, identity):
        """Published figures whose every condition the identity meets."""
        return [
            figure
            for figure in self.published
            if figure["program"] == program
            and all(key in identity and identity[key] == value for key, value in figure["where"].items())
        ]


def main():
    plan = json.load(sys.stdin)
    folder, *files = sys.argv[1:]
    context = Context(plan, files)
    drawn = []
    for module in (link, patterns, himeno, hierarchy, transpose, scaling):
        for plot in filter(None, module.plots(context)):
            plot.save(folder)
            with open(os.path.join(folder, plot.name + ".svg"), "rb") as file:
                svg = base64.b64encode(file.read()).decode()
            drawn.append({"name": plot.name, "title": plot.title, "caption": plot.caption, "svg": svg})
    json.dump(drawn, sys.stdout)


if __name__ == "__main__":
    main()
