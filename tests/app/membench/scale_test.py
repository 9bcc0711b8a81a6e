# Pins the scale of a GPU's figures: the kept samples of two GPUs are alike, and fresh figures are as the kept ones.
import os
import pathlib
import subprocess
import unittest

from cli_support import FOR_GPU, PROGRAM, CommandLine, environment

try:
    import h5py
except ImportError:  # the first Python on PATH may not have it
    h5py = None

KEPT = sorted(pathlib.Path(os.environ["MEMSTENCIL_INPUTS"]).glob("reference/samples/*/membench-all*.h5"))

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
    """The rows of a block, without their samples."""
    columns = {name: block[name][()] for name in block if name not in ("samples", "experiments", "sample_counts")}
    return [dict(zip(columns, map(text, cells))) for cells in zip(*columns.values())]


@unittest.skipUnless(h5py, "needs h5py")
class Scale(CommandLine):
    def fresh(self, probe, axes, *options):
        """The file of a run of a probe."""
        path = pathlib.Path(self.path("fresh.h5"))
        words = [word for axis in axes for word in ("--axis", axis)]
        subprocess.run([PROGRAM, probe, *words, *options, "--quiet", "--force", "--output", path],
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
                        point = (key.get("operation"), key.get("footprint"))
                        if key.get("path") != "cpu" and point not in OTHER_LOOP:
                            found.setdefault((name, *sorted(key.items())), row)
            return text(file["machine/gpu"].attrs["name"]), found

    def ratios(self, rows, wanted):
        """{figure and row: ratio} of the figures of both that are of the GPU's clocks."""
        return {(figure, key): rows[key][figure] / wanted[key][figure]
                for key in rows.keys() & wanted.keys() for figure in FIGURES
                if rows[key].get(figure, 0) > 0 and wanted[key].get(figure, 0) > 0}

    def test_kept_figures_of_two_gpus_are_alike(self):
        names = {probe for probe, *_ in BY_CLOCK} - {"shared"}  # which has 65,536 rows
        kept = [self.figures(path, names) for path in KEPT]
        pairs = [(a, b, gpu == other) for n, (gpu, a) in enumerate(kept) for other, b in kept[:n]]
        self.assertEqual({of_a_kind for *_, of_a_kind in pairs}, {True, False})
        for a, b, of_a_kind in pairs:
            ratios = {key: ratio for key, ratio in self.ratios(a, b).items()
                      if of_a_kind or key[1][0] in OF_ANY_KIND}
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
        kept = dict(self.figures(path, {probe for probe, *_ in BY_CLOCK}) for path in KEPT)
        for probe, *axes in BY_CLOCK:
            def again(probe=probe, axes=axes):
                gpu, rows = self.figures(self.fresh(probe, axes), {probe})
                if gpu not in kept:
                    self.skipTest(f"no kept samples of {gpu}")
                return self.ratios(rows, kept[gpu])
            with self.subTest(probe=probe):
                self.assertGreater(self.alike_once(again), 0)

    def link_rates(self, *axes):
        """{memory and direction: GB/s}."""
        with h5py.File(self.fresh("link", axes, "--repeat", "5")) as file:
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


if __name__ == "__main__":
    unittest.main()
