# Probes of tables of rows, as the plots know them: measurements with parameters, tables by name, and
# derived figures. Until the plots read rows. Older results have these already.

RENAMED = {
    ("pages", "memory"): "memspace",
    ("copy", "access"): "pattern",
    ("copy", "side"): "rows",
    ("atomics", "where"): "memory",
}
FIGURES = ("gbs", "per_second", "per_clock", "cycles", "ns", "seconds")
NO_COLUMNS = ("samples", "sample_counts", "experiments")


def rows_of(blocks):
    """Rows as dictionaries; samples under "samples", by column, and the number of experiments."""
    rows = []
    for block in blocks:
        columns = [name for name in block if name not in NO_COLUMNS]
        own = [dict(zip(columns, values)) for values in zip(*(block[name] for name in columns))]
        experiments = block.get("experiments", [])
        for column, values in block.get("samples", {}).items():
            at, count = 0, 0
            for row, number in zip(own, experiments):
                length = sum(block["sample_counts"][count : count + number])
                row.setdefault("samples", {})[column] = values[at : at + length]
                row["experiments"] = number
                at, count = at + length, count + number
        rows += own
    return rows


def _parameters(probe, row):
    wanted = [name for name, value in row.items() if isinstance(value, str) and name != "stopped"]
    wanted += [name for name in probe.get("axes", []) if name in row and name not in wanted]
    wanted += [name for name in ("ranks", "nodes") if name in row]
    return {
        RENAMED.get((probe["name"], name), name): int(row[name])
        if isinstance(row[name], float) and row[name] == int(row[name])
        else row[name]
        for name in wanted
    }


def _measurement(probe, row):
    parameters = _parameters(probe, row)
    if probe["name"] == "pages":
        samples = [row["ns_per_byte"]]
    else:
        figure = next(name for name in FIGURES if name in row["samples"])
        samples = row["samples"][figure]
    if probe["name"] == "atomics":
        kind = parameters.pop("type")
        parameters["bits"] = 32 if kind.endswith("32") else 64
        parameters["operation"] = ("fp " if kind.startswith("fp") else "") + parameters["operation"]
    middle = sorted(samples)[len(samples) // 2]
    name = ", ".join(str(value) for value in parameters.values())
    return {
        "name": name,
        "parameters": parameters,
        "samples": samples,
        "experiments": row.get("experiments", 1),
        "median": middle,
    }


def _add(table, row, **columns):
    for name, column in columns.items():
        table.setdefault(name, []).append(row[column])


def _link(rows, tables, derived):
    for row in rows:
        kind = {"host copy": "vectorised", "device copy": "kernel"}
        if row["by"] == kind.get(row["direction"], "copy engine") and row["memory"] != "pageable":
            if "against" not in row["direction"]:
                _add(tables.setdefault(row["direction"], {}), row, bytes="bytes", gbs="gbs")


def _copy(rows, tables, derived):
    for row in rows:
        if row["access"] in ("offset", "stride"):
            size = f"{row['side']:.0f} x {row['side']:.0f}"
            table = tables.setdefault(f"{row['access']}, {size}", {})
            _add(table, row, step="step", gbs="gbs")


def _latency(rows, tables, derived):
    for row in rows:
        if "footprint" in row and "ns" in row and not row["chain"].startswith("pairs"):
            first = "" if row["memory"] in ("own", "device", "host-pinned") else row["touched"] + " first, "
            name = f"{row['path']}, {row['memory']}, {first}{row['chain']}"
            _add(tables.setdefault(name, {}), row, footprint_bytes="footprint", ns="ns")


def _l2(rows, tables, derived):
    for row in rows:
        if "dealt_bytes" in row:
            table = tables.setdefault(f"{row['operation']}, {row['data']}", {})
            _add(table, row, footprint_bytes="dealt_bytes", gbs="gbs")
            derived["l2_bytes"] = max(derived.get("l2_bytes", 0), row["footprint"] / 8)


def _shared(rows, tables, derived):
    for fit in rows:
        if "model" not in fit:
            continue
        name = "hopper_fit" if "C3" in fit else "paper_fit"
        derived.setdefault(f"{fit['word_bits']:.0f}-bit loads", {})[name] = fit
    for row in rows:
        if "cycles" not in row:
            continue
        table = tables.setdefault(f"{row['word_bits']:.0f}-bit loads", {})
        _add(table, row, i="loads", w="warps", c="congestion", mean="cycles")
    for loads, table in tables.items():
        fits = derived.get(loads, {})
        for name, terms in (("paper", _iwc), ("hopper", _passes(loads))):
            fit = fits.get(f"{name}_fit", {})
            constants = [fit[c] for c in ("C1", "C2", "C3") if c in fit]
            points = zip(table["i"], table["w"], table["c"], table["mean"])
            table[f"{name}_residual"] = [
                mean - sum(c * x for c, x in zip(constants, terms(i, w, c_)))
                for i, w, c_, mean in points
            ]


def _iwc(i, w, c):
    return i * w * c, 1


def _passes(loads):
    """The terms of the model for Hopper: 8-byte words are read by half a warp at a time."""
    parts = 2 if loads.startswith("64") else 1

    def passes(c):
        at_once, total = 32 // parts, 0
        for first in range(0, 32, at_once):
            banks = [0] * 32
            for lane in range(first, first + at_once):
                word = lane * 32 + (0 if lane < c else lane)
                for part in range(parts):
                    banks[(word * parts + part) % 32] += 1
            total += max(banks)
        return total

    of_congestion = {c: passes(c) for c in range(1, 33)}
    return lambda i, w, c: (i * max(4, max(2, w) * of_congestion[int(c)]), w, 1)


def _issue(rows, tables, derived):
    for row in rows:
        if "cycles" in row:
            name = row["instruction"] + (", one quarter" if row["placement"] != "spread" else "")
            _add(tables.setdefault(name, {}), row, warps="warps", ilp="ilp", per_clock="per_clock")


def _registers(rows, tables, derived):
    for row in rows:
        name = f"{row['live']:.0f} live {'fp64 ' if row['type'] == 'fp64' else ''}values"
        _add(tables.setdefault(name, {}), row, limit="limit", seconds="seconds")


def _exchange(rows, tables, derived):
    for row in rows:
        table = tables.setdefault(f"{row['pattern']}, {row['path']}", {})
        _add(table, row, bytes="bytes", seconds="seconds", gbs="gbs")


def _overlap(rows, tables, derived):
    for row in rows:
        if "hidden" in row:
            derived.setdefault(row["direction"], {})[row["work"]] = row


TABLES = {
    "link": _link,
    "copy": _copy,
    "latency": _latency,
    "l2": _l2,
    "shared": _shared,
    "issue": _issue,
    "registers": _registers,
    "exchange": _exchange,
    "overlap": _overlap,
}


def as_measured(probe):
    """The probe with measurements, tables and derived figures in place of its rows."""
    if "rows" not in probe:
        return probe
    rows = rows_of(probe["rows"])
    stands = "ns_per_byte" if probe["name"] == "pages" else "samples"
    measurements = [_measurement(probe, row) for row in rows if stands in row]
    tables, derived = {}, {}
    TABLES.get(probe["name"], lambda *_: None)(rows, tables, derived)
    own = {name: value for name, value in probe.items() if name != "rows"}
    return own | {"measurements": measurements, "tables": tables, "derived": derived}
