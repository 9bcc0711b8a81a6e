# The rows that a plot shows: of a probe of membench, or of what ran, or would run, as plots.json says.
import itertools
import re
import statistics

import style

UNSAID = (None, "", "default", "random line")  # cells that are empty, or as usual


def sides(answer):
    """In the order in which colours are given to them."""
    return [side["side"] for side in answer["sides"]]


def number_of(answer, side):
    """Of the side that this is, or of whose runs with an option."""
    return next((n for n, name in enumerate(sides(answer)) if side == name or side.startswith(name + ", ")), 0)


def of_probe(answer, probe):
    """[(side, row)] of all sides; where runs of a side differ in an option, it is named, too."""
    return [
        (", ".join(filter(None, (table["side"], row.get("options")))), row)
        for table in answer["probes"]
        if table["probe"] == probe
        for row in table["rows"]
    ]


def cases(answer):
    said = r"^transpose |, in one run of \d+ variants"  # of a transpose
    return [case | {"what": re.sub(said, "", case.get("without_size", ""))} for case in answer["cases"]]


def ranked(answer):
    """The cases of the first problem, the fastest memory first, the sides in order."""
    known = {(case["case"], case["side"]): case for case in answer["cases"]}
    rows = [row for row in answer["ranking"] if row["problem"] == answer["problem"]]
    memories = [row["memory"] for row in sorted(rows, key=lambda row: row["to_best"])]
    rows.sort(key=lambda row: (memories.index(row["memory"]), sides(answer).index(row["side"])))
    found = [row | known[row["case"], row["side"]] | {"memory": row["memory"]} for row in rows]
    return [row | (row.get("prediction") or {}) for row in found]


def sweeps(answer):
    """The sweeps in the memories in which they differ."""
    rows = [row for row in ranked(answer) if row["series"]]
    seconds = [(row["memory"], row["series"]["seconds"]) for row in rows]
    differ = {memory for memory, of in seconds if max(of) > 1.5 * sorted(of)[len(of) // 2]}
    return [
        {"side": row["side"], "memory": row["memory"], "sweep": sweep, "ms": 1e3 * time}
        for row in rows
        if row["memory"] in differ
        for sweep, time in zip(row["series"]["step"], row["series"]["seconds"])
    ]


def repeats(answer, name, plot):
    """[(side, row)]: each repeat of the series of the probe's rows, the median of all experiments; those of one line
    follow each other."""
    found, last = [], {}
    for side, row in of_probe(answer, name):
        row = row | {"size": style.size_text(row["bytes"])}
        line = side, words(row, plot["panel"]), words(row, plot["line"])
        for of in itertools.zip_longest(*row.get("series", [])) if wanted(row, plot) else ():
            of = [each for each in of if each is not None]
            last[line] = last.get(line, 0) + 1
            more = {"repeat": last[line], "speeds": [min(of), max(of)], plot["y"]: statistics.median(of)}
            found.append((side, row | more))
    return found


def items(answer, name, plot):
    """[(side, row)] of what the plot shows, of which `value` is in `column`."""
    if "of" not in plot:
        return of_probe(answer, name)
    if plot["of"] == "repeats":
        return repeats(answer, name, plot)
    rows = {"cases": cases, "ranking": ranked, "sweeps": sweeps}[plot["of"]](answer)
    value = plot.get("column", plot.get("y"))
    return [(row["side"], row | {"column": value, "value": row.get(value)}) for row in rows]


def ends(row, value):
    """Between which a value lies: half the width of its interval on both sides, of a speed those of all
    runs, of a predicted time those of its range."""
    if "least_seconds" in row and row["column"] == "seconds":
        return row["least_seconds"], row["most_seconds"]
    if "speeds" in row:
        return row["speeds"] if row["column"] in ("speed", "gbs") else (value, value)
    half = min(row.get("half_width") or 0, 0.99)
    return value * (1 - half), value * (1 + half)


def words(row, names):
    """The cells of these columns as a text: numbers with their column's name; of a format; or the name
    of that of several conditions, {name: {column: value}}, which the row fulfils."""
    if isinstance(names, str):
        return names.format(**row)
    if isinstance(names, dict):
        return next((name for name, of in names.items() if all(row.get(k) == v for k, v in of.items())), None)
    cells = [(name, row.get(name)) for name in names]
    return ", ".join(
        cell if isinstance(cell, str) else f"{cell:g} {name}"
        for name, cell in cells
        if cell not in UNSAID or name == "side"
    )


def wanted(row, plot):
    return all(row.get(column, values[0]) in values for column, values in plot["only"].items())
