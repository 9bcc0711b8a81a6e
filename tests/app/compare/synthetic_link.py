# Copies beside kernels and messages between ranks, among the synthetic membench results.
from synthetic_membench import measurement

DIRECTIONS = ("HtoD", "DtoH")
PATTERNS = ("neighbours", "all-to-all")
SIZES = [2**n for n in range(10, 31, 4)]


def overlap(scale, hidden=0.9):
    copy, kernel = 5e-3 / scale, 4e-3 / scale
    both = copy + (1 - hidden) * kernel
    figures = {"copy_seconds": copy, "kernel_seconds": kernel, "both_seconds": both, "hidden": hidden}
    return {
        "name": "overlap",
        "verified": True,
        "derived": {direction: {"arithmetic": figures, "memory": figures} for direction in DIRECTIONS},
        "measurements": [
            measurement(f"{direction}, memory, both", "s", [both], direction=direction, work="memory", part="both")
            for direction in DIRECTIONS
        ],
    }


def _messages(latency, rate):
    seconds = [latency + size / (1e9 * rate) for size in SIZES]
    return {"bytes": SIZES, "seconds": seconds, "gbs": [1e-9 * size / s for size, s in zip(SIZES, seconds)]}


def exchange(scale, ranks=2, nodes=1, paths=("nccl", "staged")):
    """Each further path has a tenth of the rate."""
    rates = {path: 300 * scale / 10**n for n, path in enumerate(paths)}
    tables = {(pattern, path): _messages(2e-5, rate) for pattern in PATTERNS for path, rate in rates.items()}
    of = {"ranks": ranks, "nodes": nodes}
    return {
        "name": "exchange",
        "verified": True,
        "measurements": [
            measurement(f"{pattern}, {path}, {size} B", "GB/s", [gbs], pattern=pattern, path=path, bytes=size, **of)
            for (pattern, path), table in tables.items()
            for size, gbs in zip(table["bytes"], table["gbs"])
        ],
        "tables": {", ".join(names): table for names, table in tables.items()},
    }
