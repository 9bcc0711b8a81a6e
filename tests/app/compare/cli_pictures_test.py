# The plots and pages that compare writes.
import copy
import json
import os
import re
import subprocess
import unittest

from cli_support import PROGRAM
import synthetic
from two_machines import INPUTS, MACHINE, MACHINES, THESIS, TwoMachines

# Figures 5.1 to 5.8 of the thesis, and what else has to be drawn from whole().
PLOTS = [
    "link-host-copy",
    "link-device-copy",
    "link-htod",
    "link-dtoh",
    "patterns-4GB",
    "migration-4GB",
    "himeno-speed-XL-single-device",
    "himeno-sweeps-XL-single-device",
    "himeno-phases-XL-single-device",
    "latency",
    "l2",
    "shared-pegasus-64",
    "shared-miyabi-g-64",
    "shared-miyabi-g-64-as-printed",
    "copy-patterns",
    "link-by-size",
    "overlap",
    "exchange-neighbours",
    "exchange-all-to-all",
    "transpose-variants-4096x4096-float-plain-device",
    "transpose-sizes",
    "scaling-strong",
    "scaling-weak",
    "himeno-energy-XL-single-device",
    "size-losses",
    "model",
    "roofline-pegasus",
    "roofline-miyabi-g",
    "pages",
    "issue",
    "warp",
    "atomics",
    "registers",
]

# Of these, too, plots draw figures: of the L2, and of latencies.
PUBLISHED = [
    argument
    for name in ("h200-l2", "fusco-2024")
    for argument in ("--reference", os.path.join(INPUTS, f"reference/{name}.toml"))
]

try:
    import matplotlib  # noqa: F401

    HAS_MATPLOTLIB = True
except ImportError:
    HAS_MATPLOTLIB = False
needs_matplotlib = unittest.skipUnless(HAS_MATPLOTLIB, "this Python has no matplotlib (Debian: python3-matplotlib)")


class Pictures(TwoMachines):
    @needs_matplotlib
    def test_every_plot_is_drawn_in_both_kinds_and_stands_in_the_report(self):
        self.good(
            *self.files(), *MACHINES, *THESIS, *PUBLISHED, "--plots", self.path("plots"), "--html", self.path("r.html")
        )
        drawn = os.listdir(self.path("plots"))
        self.assertEqual([name for name in PLOTS if name + ".png" not in drawn or name + ".svg" not in drawn], [])
        for name in drawn:
            with open(os.path.join(self.path("plots"), name), "rb") as file:
                self.assertIn(file.read(8)[:5], (b"\x89PNG\r", b"<?xml"), name)
        with open(self.path("r.html"), encoding="utf-8") as file:
            html = file.read()
        self.assertEqual(re.findall(r'(?:src|href)="(?!data:|#)', html), [], "it needs no other file")
        self.assertEqual(2 * html.count("<img "), len(drawn))
        leading = html[: html.index("<nav>")]
        self.assertEqual(
            re.findall(r'<figure id="([^"]+)"', leading),
            [f"himeno-{kind}-XL-single-device" for kind in ("speed", "phases", "sweeps")],
            "three plots stand above everything else",
        )

    @needs_matplotlib
    def test_a_report_alone_draws_no_png_and_says_which_file_it_is(self):
        run = synthetic.himeno(synthetic.ONE, 2000, iterations=3)
        path = synthetic.write_file(self.path("a.h5"), run)
        done = self.run_program(path, "--html", "r.html")
        self.assertEqual((done.returncode, done.stderr), (0, "memcompare: the report is r.html\n"))

    @needs_matplotlib
    def test_a_report_is_replaced_with_force_and_nothing_is_left_beside_it(self):
        path = synthetic.write_file(self.path("a.h5"), synthetic.himeno(synthetic.ONE, 2000, iterations=3))
        self.good(path, "--html", self.write("r.html", "old"), "--force")
        with open(self.path("r.html"), encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("<!DOCTYPE html>"))
        self.assertEqual(self.content(), ["a.h5", "r.html"])

    @needs_matplotlib
    def test_names_of_files_and_folders_need_not_be_utf_8(self):
        written = synthetic.write_file(self.path("a.h5"), synthetic.himeno(synthetic.ONE, 2000, iterations=3))
        odd, plots = os.fsdecode(b"Gr\xf6\xdfe.h5"), self.path(os.fsdecode(b"plots-\xf6"))
        os.rename(written, self.path(odd))
        done = self.run_program(odd, "--plots", plots, "--html", "r.html", "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("himeno-speed-XL-single-device.svg", os.listdir(plots))
        with open(self.path("r.html"), encoding="utf-8", errors="replace") as file:
            self.assertIn("<img ", file.read())

    @needs_matplotlib
    def test_a_result_that_lacks_what_is_drawn_is_one_line_and_leaves_no_folder(self):
        run = synthetic.membench(synthetic.ONE)
        (link,) = [probe for probe in run["probes"] if probe["name"] == "link"]
        for measurement in link["measurements"]:
            measurement["parameters"].pop("memory", None)
        path = synthetic.write_file(self.path("a.h5"), run)
        done = self.run_program(path, "--plots", "plots")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "memcompare: drawing the plots failed: a result lacks 'memory'\n")
        self.assertEqual(self.content(), ["a.h5"])

    def traps(self, folder):
        """What would be run or read if the folder where compare is called took part."""
        trap = f"import os; os.mkdir({self.path('sprung')!r})\n"
        for name in ("h5py", "matplotlib", "json", "results", "sitecustomize", "encodings"):
            with open(os.path.join(folder, name + ".py"), "w", encoding="utf-8") as file:
                file.write(trap)
        with open(os.path.join(folder, "matplotlibrc"), "w", encoding="utf-8") as file:
            file.write("figure.dpi: no number\naxes.titlesize: \x00\n")
        return os.path.join(folder, "json.py"), os.path.join(folder, "matplotlibrc")

    @needs_matplotlib
    def test_the_current_folder_and_home_take_no_part(self):
        here, home = self.path("here"), self.path("home")
        os.mkdir(here), os.mkdir(home)
        startup, settings = self.traps(here)
        written = synthetic.write_file(os.path.join(here, "a.h5"), synthetic.himeno(synthetic.ONE, 2000, iterations=3))
        variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "XDG"))}
        variables |= {"HOME": home, "PYTHONSTARTUP": startup, "PYTHONHOME": here, "MATPLOTLIBRC": settings}
        before = sorted(os.listdir(here))
        for path in ("", ":/nowhere"):  # an empty part of it is the current folder
            done = subprocess.run(
                [PROGRAM, os.path.basename(written), "--plots", "plots", "--html", "r.html", "--force"], cwd=here,
                env=variables | {"PYTHONPATH": path}, capture_output=True, text=True, timeout=300, check=False
            )
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("himeno-speed-XL-single-device.svg", os.listdir(os.path.join(here, "plots")))
        self.assertEqual(sorted(os.listdir(here)), sorted([*before, "plots", "r.html"]))
        self.assertEqual(os.listdir(home), [])
        self.assertFalse(os.path.exists(self.path("sprung")))

    @needs_matplotlib
    def test_a_folder_of_a_killed_run_is_no_hindrance_and_is_removed(self):
        left = self.path("plots/.memstencil-plots-AbCdEf")
        os.makedirs(left)
        with open(os.path.join(left, "half.svg"), "w", encoding="utf-8") as file:
            file.write("<svg")
        path = synthetic.write_file(self.path("a.h5"), synthetic.himeno(synthetic.ONE, 2000, iterations=3))
        self.good(path, "--plots", self.path("plots"))
        drawn = os.listdir(self.path("plots"))
        self.assertIn("himeno-speed-XL-single-device.svg", drawn)
        self.assertEqual([name for name in drawn if name.startswith(".")], [])

    @needs_matplotlib
    def test_names_of_machines_are_no_formulas_and_may_be_long(self):
        machine = copy.deepcopy(synthetic.ONE) | {"hostname": r"$\bad{x}^$"}
        machine["gpu"]["name"] = r"$\bad{x}^$" + 60_000 * "x"
        run = synthetic.himeno(machine, 2000, iterations=3)
        path = synthetic.write_file(self.path("a.h5"), run)
        self.good(path, "--plots", self.path("plots"))
        self.assertIn("himeno-speed-XL-single-device.svg", os.listdir(self.path("plots")))

    @needs_matplotlib
    def test_predictions_are_drawn(self):
        done = self.run_program(
            "--predict", "himeno", "--nodes", "4", *MACHINES, "--plots", self.path("plots"),
            "--html", self.path("r.html")
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        plots = ("prediction", "scaling-strong", "scaling-weak")
        self.assertEqual(set(os.listdir(self.path("plots"))), {f"{name}.{kind}" for name in plots for kind in ("png", "svg")})
        with open(self.path("r.html"), encoding="utf-8") as file:
            self.assertEqual(file.read().count("<img "), len(plots))

    def test_a_report_of_predictions_needs_no_python_and_says_that_it_has_no_plot(self):
        self.write("h5py.py", "raise ImportError\n")
        done = self.run_program(
            "--predict", "transpose", *MACHINES, "--html", self.path("r.html"), PYTHONPATH=self.folder
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the report has no plot: plots need a Python", done.stderr)
        with open(self.path("r.html"), encoding="utf-8") as file:
            html = file.read()
        self.assertEqual(html.count("PREDICTION, not measured"), 3)  # the answer, and a table a machine
        self.assertNotIn("<img", html)
        self.assertNotIn("#plots", html)

    def test_a_python_without_the_packages_is_told_before_anything_is_written(self):
        files = self.files()
        empty = self.path("python")
        os.mkdir(empty)
        # Every Python that compare tries finds an h5py that cannot be imported.
        self.write("python/h5py.py", "raise ImportError\n")
        done = self.run_program(*files, "--html", self.path("r.html"), PYTHONPATH=empty)
        self.assertEqual(done.returncode, MACHINE, done.stderr)
        self.assertIn("python3-h5py and python3-matplotlib", done.stderr)
        self.assertIn("; python3: ImportError; /usr/bin/python3: ", done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertNotIn("r.html", self.content())


if __name__ == "__main__":
    unittest.main()
