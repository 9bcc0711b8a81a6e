# Pins the scale of every figure against its raw samples and the case alone: a rate times its seconds is what the
# case counts; in the kept samples of GPUs, and in results of the programs made here.
import os
import pathlib
import statistics
import subprocess
import unittest

from cli_support import FOR_GPU, PROGRAM, CommandLine, environment

try:
    import h5py
except ImportError:  # the first Python on PATH may not have it
    h5py = None

KEPT = sorted(pathlib.Path(os.environ["MEMSTENCIL_INPUTS"]).glob("reference/samples/*/*.h5"))
BYTES_OF_POINT = {"himeno": 56, "heat": 16}
FLOPS_OF_POINT = {"himeno": 34, "heat": 9}
UNCOUNTED = {"himeno": 3, "heat": 2}  # points of each extent
NEAR = 1e-6

# What one GPU of a kind does as another one of it, within a tenth or so: the probe, and values of its axes.
BY_CLOCK = [("block", "step=1,4,32"), ("issue", "warps=1,32", "ilp=1,4"), ("warp",), ("shared", "loads=2,16", "warps=1,8"),
            ("registers", "live=32,96"), ("atomics", "addresses=spread,one a warp"),
            ("copy", "step=0,1,8"), ("l2", "operation=read,copy,load again", "footprint=8MiB,400MiB"), ("overlap",),
            ("latency", "path=global,shared,texture", "memory=own,device", "footprint=16KiB,1MiB,256MiB")]
FIGURES = ("cycles", "per_clock", "per_second", "gbs", "seconds", "hidden")
ALIKE = 1.25
OF_ANY_KIND = {"atomics", "block", "issue", "warp"}  # an H200's multiprocessors are those of an H100
# Axes that kept samples may have, and the value that is still measured.
GONE_AXES = {("latency", "pages"): "default", ("atomics", "memory"): "device", ("atomics", "by"): "GPU"}
# Points of l2 that differ by more between samples of before and after 298c161b, which has another loop (caches.md).
OTHER_LOOP = {("read", "1048576.0"), ("read", "2097152.0"), ("copy", "1048576.0"), ("triad", "189792256.0")}
TRIES = 3  # of a figure that is not alike: what else runs on a GPU's host passes, a fault stays


def not_alike(ratio):
    return not 1 / ALIKE < ratio < ALIKE


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def rows_of(block):
    """The rows of a block, each with the samples of its columns."""
    columns = {name: block[name][()] for name in block if name not in ("samples", "experiments", "sample_counts")}
    count = len(next(iter(columns.values())))
    rows = [{name: text(values[n]) for name, values in columns.items()} | {"samples": {}} for n in range(count)]
    if "samples" not in block:
        return rows
    counts = iter(block["sample_counts"][()])
    of_row = [sum(int(next(counts)) for _ in range(experiments)) for experiments in block["experiments"][()]]
    for column, samples in block["samples"].items():
        at = 0
        for row, number in zip(rows, of_row):
            row["samples"][column] = samples[at:at + number]
            at += number
    return rows


def counted_bytes(probe, row):
    """From the axes of the row alone, what its rate counts; nothing where other figures decide."""
    size = row.get("bytes", 0)
    if probe == "link":
        return size // 16 * 16 * (2 if row["direction"].endswith(" copy") else 1)
    if probe in ("peers", "gpus", "exchange"):
        return size  # one way, of one copy, or between two ranks
    if probe == "copy":
        passes = 64 if row["side"] == 1024 else 1  # of older samples, in the L2
        ways = 1 if row["access"] in ("read", "write") else 2
        return passes * ways * 4 * row["side"]**2
    return row.get("dealt_bytes")


@unittest.skipUnless(h5py, "needs h5py")
class Scale(CommandLine):
    def near(self, measured, expected, what, tolerance=NEAR):
        self.assertGreater(expected, 0, what)
        self.assertLess(abs(measured / expected - 1), tolerance, f"{what}: {measured} is not {expected}")

    def check_rates(self, probe, row, what):
        """A row whose samples have rates and seconds."""
        samples = row["samples"]
        counted = counted_bytes(probe, row)
        for rate, seconds in zip(samples["gbs"], samples["seconds"]):
            self.near(1e9 * rate * seconds, counted, what)
        if "counted_bytes" in row:
            self.near(row["counted_bytes"], counted, what)
        self.near(row["seconds"] * row["gbs"] * 1e9, counted, what, 0.01)  # two medians

    def check_membench(self, file, name):
        """The number of rows that have rates and seconds."""
        checked = 0
        for probe in file["probes"].values():
            kind = text(probe.attrs["name"])
            rows = [row for block in probe.get("rows", {}).values() for row in rows_of(block)]
            for row in rows:
                what = f"{name}, {kind}: { {key: row[key] for key in row if key != 'samples'} }"
                if len(row["samples"].get("gbs", ())) and "experiments" not in row and "gbs" in row:
                    self.near(row["gbs"], statistics.median(row["samples"]["gbs"]), what)
                if {"gbs", "seconds"} <= row["samples"].keys():
                    self.check_rates(kind, row, what)
                    checked += 1
                if {"cycles", "ns"} <= row["samples"].keys():  # of clocks between 0.5 and 4 GHz
                    self.assertLess(abs(row["cycles"] / row["ns"] - 2.2), 1.8, what)
                if {"bytes_per_clock", "gbs"} <= row["samples"].keys() and row["footprint"] <= 256 * 1024:
                    clocks = row["gbs"] / row["bytes_per_clock"]  # GHz of all multiprocessors
                    self.assertLess(abs(clocks / 256 - 1), 0.4, what)
            if kind == "pages":
                self.check_pages(rows, name)
        return checked

    def check_pages(self, rows, name):
        """The cost of a byte, and the seconds of the largest size."""
        acts = [row for row in rows if "make_seconds" in row]
        for cost in (row for row in rows if "ns_per_byte" in row):
            axes = [key for key in ("memory", "allocation", "pages", "act") if key in cost]
            alike = [row for row in acts if all(row[key] == cost[key] for key in axes)]
            if not alike or cost["ns_per_byte"] <= 0:
                continue
            most = max(alike, key=lambda row: row["bytes"])
            seconds = 1e-6 * cost["start_us"] + 1e-9 * cost["ns_per_byte"] * most["bytes"]
            widest = max(row.get("half_width", 0) for row in alike)  # of a point that did not settle
            self.near(most["make_seconds"], seconds, f"{name}, pages: {cost}", max(0.25, 1.2 * widest))

    def check_grid(self, file, name):
        program, extents = text(file.attrs["program"]), file["extents"][()]
        points = (extents - 2).prod() * file.attrs["iterations"]
        seconds, limit = file.attrs["solve_seconds"], file["limit"]
        self.near(1e9 * file.attrs["bandwidth_gbs"] * seconds, BYTES_OF_POINT[program] * points, name)
        flops = FLOPS_OF_POINT[program] * (extents - UNCOUNTED[program]).prod() * file.attrs["iterations"]
        self.near(1e6 * file.attrs["mflops"] * seconds, flops, name)
        self.near(1e6 * file.attrs["mflops_end_to_end"] * file.attrs["total_seconds"], flops, name)
        self.near(limit.attrs["mflops"] / file.attrs["mflops"], 1 / limit.attrs["fraction"], name)
        self.near(limit.attrs["gbs"], max(limit["samples_gbs"]), name)
        self.near(limit.attrs["fraction"] * limit.attrs["gbs"], file.attrs["bandwidth_gbs"], name)
        # What the sweeps took is within what the run took, and most of it where it is long.
        phases = file["phases"].attrs
        self.assertLess(sum(phases[key] for key in ("sweeps", "halo", "reduce")), 1.01 * seconds, name)
        if seconds > 0.05:
            self.assertGreater(phases["sweeps"] + phases["halo"], 0.9 * seconds, name)

    def check_transpose(self, file, name):
        size = {"float": 4, "double": 8}[text(file.attrs["type"])]
        counted = 2.0 * size * float(file.attrs["rows"]) * float(file.attrs["columns"])
        for variant in file["variants"].values():
            seconds = statistics.median(variant["seconds"])
            self.near(1e9 * variant["gbs"].attrs["median"] * seconds, counted, name, 0.01)

    def check(self, path):
        with h5py.File(path) as file:
            program = text(file.attrs["program"])
            if program == "membench":
                return self.check_membench(file, path.name)
            self.check_transpose(file, path.name) if program == "transpose" else self.check_grid(file, path.name)
            return 1

    def test_kept_samples_are_to_scale(self):
        self.assertGreater(len(KEPT), 50)
        self.assertGreater(sum(self.check(path) for path in KEPT), len(KEPT))

    def fresh(self, name, *arguments):
        """The file of a run of the program."""
        path = pathlib.Path(self.path(name + ".h5"))
        program, *more = arguments
        subprocess.run([os.path.join(os.path.dirname(PROGRAM), program), *more, "--quiet", "--output", path],
                       env=environment(), stdin=subprocess.DEVNULL, check=True, timeout=300)
        return path

    def figures(self, path, names):
        """Of a GPU: its name, and {probe and axes: row} of these probes."""
        with h5py.File(path) as file:
            found = {}
            for probe in file["probes"].values():
                name = text(probe.attrs["name"])
                if name not in names:
                    continue
                axes = [text(axis) for axis in probe["axes"][()]] if "axes" in probe else []
                gone = {axis: value for (of, axis), value in GONE_AXES.items() if of == name}
                for block in probe.get("rows", {}).values():
                    for row in rows_of(block):
                        key = {axis: str(row.get(axis)) for axis in axes
                               if axis not in gone or row.get(axis, gone[axis]) != gone[axis]}
                        key |= {more: str(row.get(more)) for more in ("model", "level")}
                        if key.get("path") != "cpu":
                            found.setdefault((name, *sorted(key.items())), row)
            return text(file["machine/gpu"].attrs["name"]), found

    def ratios(self, rows, wanted):
        """{figure and row: ratio} of the figures of both that are of the GPU's clocks."""
        return {(figure, key): rows[key][figure] / wanted[key][figure]
                for key in rows.keys() & wanted.keys() for figure in FIGURES
                if rows[key].get(figure, 0) > 0 and wanted[key].get(figure, 0) > 0}

    def of_other_loop(self, key):
        cells = dict(key[1:])
        return key[0] == "l2" and (cells["operation"], cells["footprint"]) in OTHER_LOOP

    def kept_figures(self, names):
        """[(GPU, rows)] of the kept samples of one GPU."""
        return [self.figures(path, names) for path in KEPT if path.name.startswith("membench-all")]

    def test_kept_figures_of_two_gpus_are_alike(self):
        kept = self.kept_figures({probe for probe, *_ in BY_CLOCK} - {"shared"})  # which has 65,536 rows
        pairs = [(a, b, gpu == other) for n, (gpu, a) in enumerate(kept) for other, b in kept[:n]]
        self.assertEqual({of_a_kind for *_, of_a_kind in pairs}, {True, False})
        for a, b, of_a_kind in pairs:
            ratios = {key: ratio for key, ratio in self.ratios(a, b).items()
                      if (of_a_kind or key[1][0] in OF_ANY_KIND) and not self.of_other_loop(key[1])}  # fmt: skip
            self.assertGreater(len(ratios), 1000)
            self.assertEqual({key: ratio for key, ratio in ratios.items() if not_alike(ratio)}, {})

    def alike_once(self, ratios_again):
        """The number of figures; each has to be alike in one of some runs. The clocks may fall, and others may share
        the GPU's host: that makes some runs slower, and no figure wrong in all of them."""
        ratios = ratios_again()
        wrong = {key: [ratio] for key, ratio in ratios.items() if not_alike(ratio)}
        for _ in range(1, TRIES):
            if wrong:
                again = ratios_again()
                wrong = {key: [*of, again[key]] for key, of in wrong.items() if not_alike(again[key])}
        self.assertEqual(wrong, {}, "ratios to the kept figures")
        return len(ratios)

    def test_a_figure_that_is_wrong_in_all_runs_is_found_and_one_that_a_run_disturbs_is_not(self):
        kept = {"a": {"gbs": 100.0}, "b": {"cycles": 30.0}}
        runs = iter([{"a": {"gbs": 60.0}, "b": {"cycles": 30.0}}, {"a": {"gbs": 99.0}, "b": {"cycles": 30.0}}])
        self.assertEqual(self.alike_once(lambda: self.ratios(next(runs), kept)), 2)
        for factor in (1.3, 1 / 1.3, 1000):
            off = {"a": {"gbs": 100.0 * factor}, "b": {"cycles": 30.0}}
            with self.assertRaises(AssertionError):
                self.alike_once(lambda off=off: self.ratios(off, kept))
        self.assertEqual(self.alike_once(lambda: self.ratios({"c": {"gbs": 1.0}}, kept)), 0)

    @unittest.skipUnless(FOR_GPU, "built for a host")
    def test_fresh_figures_of_a_gpu_are_those_of_the_kept_ones(self):
        kept = dict(self.kept_figures({probe for probe, *_ in BY_CLOCK}))
        for probe, *axes in BY_CLOCK:
            def again(probe=probe, axes=axes):
                words = [word for axis in axes for word in ("--axis", axis)]
                gpu, rows = self.figures(self.fresh(probe, "membench", probe, "--force", *words), {probe})
                if gpu not in kept:
                    self.skipTest(f"no kept samples of {gpu}")
                return self.ratios(rows, kept[gpu])
            with self.subTest(probe=probe):
                self.assertGreater(self.alike_once(again), 0)

    def link_rates(self, *axes):
        """{memory and direction: GB/s}."""
        words = [word for axis in axes for word in ("--axis", axis)]
        with h5py.File(self.fresh("link", "membench", "link", "--repeat", "5", "--force", *words)) as file:
            rows = [row for block in file["probes/0001/rows"].values() for row in rows_of(block)]
            return {(row["memory"], row["direction"]): row["gbs"] for row in rows}

    @unittest.skipUnless(FOR_GPU, "built for a host")
    def test_a_gpu_reads_and_writes_alone_about_as_fast_as_it_copies(self):
        def once():
            gbs = self.link_rates("bytes=256MiB", "memory=pinned,device", "by=kernel",
                                  "direction=device copy,HtoD,DtoH,read,write")  # fmt: skip
            copies = gbs["device", "device copy"]
            return {"up": gbs["pinned", "read"] / gbs["pinned", "HtoD"],
                    "down": gbs["pinned", "write"] / gbs["pinned", "DtoH"],
                    "read": gbs["device", "read"] / copies, "write": gbs["device", "write"] / copies}  # fmt: skip
        self.assertEqual(self.alike_once(once), 4)

    def test_fresh_results_are_to_scale(self):
        runs = [("membench", "link", "--size", "1MiB", "--repeat", "3"),
                ("membench", "pages", "--axis", "bytes=1MiB,4MiB", "--repeat", "1"),
                ("himeno", "--size", "XS", "--iterations", "20"), ("heat", "--size", "XS", "--iterations", "20"),
                ("transpose", "--rows", "100", "--cols", "300", "--type", "double", "--iterations", "5")]
        for number, (program, *arguments) in enumerate(runs):
            self.check(self.fresh(str(number), program, *arguments))


if __name__ == "__main__":
    unittest.main()
