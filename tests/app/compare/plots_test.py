# The plots and the page: what is drawn, under which names, and that --only draws one.
import os
import re
import subprocess
import sys
import unittest

try:
    import h5py  # noqa: F401  (synthetic needs it)
    import matplotlib  # noqa: F401
    from fontTools.fontBuilder import FontBuilder  # matplotlib has it
    from fontTools.pens import ttGlyphPen
except ImportError:
    print("skipped: this Python has no h5py or matplotlib (Debian: python3-h5py python3-matplotlib)")
    sys.exit(77)

from cli_support import CommandLine
import synthetic

OTHER = 1
INPUTS = os.environ["MEMSTENCIL_INPUTS"]
sys.path.insert(0, os.path.join(os.path.dirname(os.environ["PROGRAM"]), "../share/memstencil/plots"))
import memories  # noqa: E402  (they stand next to the program)
import probes  # noqa: E402
import rows  # noqa: E402
import style  # noqa: E402


class Plots(CommandLine):
    def sides(self):
        return synthetic.two_sides(self.path)

    def test_help_lists_every_plot_and_no_other(self):
        told = re.search(r"this one alone:\s+([a-z0-9,\s]+)", self.good("--help")).group(1)
        names = {name.strip() for name in told.replace("\n", " ").split(",")}
        self.assertEqual({name.split()[0] for name in names if name}, set(style.PLOTS))

    def test_a_curve_needs_two_points_and_says_so(self):
        curves = [plot for plot in style.PLOTS.values() if "x" in plot]
        self.assertTrue(curves)
        for plot in curves:
            self.assertIn(" two ", plot["needs"])

    def test_every_plot_of_results_is_drawn_as_png_svg_and_pdf(self):
        self.good(*self.sides(), "--plots", self.path("plots"))
        names = os.listdir(self.path("plots"))
        for kind in ("png", "svg", "pdf"):
            of_kind = [name for name in names if name.endswith(kind)]
            for plot in style.PLOTS:
                if plot not in ("prediction", "energy", "touch", "peers"):
                    self.assertTrue(any(name.startswith(plot) for name in of_kind), f"{plot}.{kind}: {names}")
        self.assertFalse([name for name in names if name.startswith(".")])

    def test_energy_is_drawn_of_every_run_that_has_it(self):
        runs = [
            synthetic.himeno(synthetic.ONE, 100, space="managed"),
            synthetic.himeno(synthetic.ONE, 2000, joules=1.0),
        ]
        energy = ["--plots", self.path("plots"), "--only", "energy"]
        none = synthetic.write_folder(self.path("none"), runs[:1])
        self.refused(OTHER, ["--only energy", "the GPU's counter of energy"], none, *energy)
        self.assertFalse(os.path.exists(self.path("plots")))
        self.good(synthetic.write_folder(self.path("one"), runs), *energy)
        self.assertEqual(sorted(os.listdir(self.path("plots"))), ["energy.pdf", "energy.png", "energy.svg"])

    def test_a_plot_has_one_unit_and_the_spread_of_its_figures(self):
        row = {"scope": "warp", "type": "int32", "method": "shuffle", "half_width": 0.1}
        rows = [row | {"column": column, "value": 100.0} for column in ("cycles", "per_clock")]
        answer = {"sides": [{"side": "a"}], "probes": [{"side": "a", "probe": "warp", "rows": rows}]}
        drawn = list(probes.drawn(answer, "warp"))
        self.assertEqual([plot.name for plot in drawn], ["warp-cycles", "warp-sums-a-clock"])
        spread = drawn[0].figure.axes[0].lines[0].get_xdata()
        self.assertEqual([round(x, 6) for x in spread], [90.0, 110.0])

    def test_a_legend_names_each_line_and_each_side_once(self):
        rows = [
            {"direction": "HtoD", "memory": memory, "by": "kernel", "bytes": size, "gbs": 1.0}
            for memory in ("pinned", "pageable")
            for size in (1024, 2048)
        ]
        for sides, expected in (
            (["a"], ["a, pinned, kernel", "a, pageable, kernel"]),
            (["a", "b"], ["pinned, kernel", "pageable, kernel", "a", "b"]),
        ):
            answer = {
                "sides": [{"side": side, "l2_bytes": None} for side in sides],
                "probes": [{"side": side, "probe": "link", "rows": rows} for side in sides],
            }
            (drawn,) = probes.drawn(answer, "link")
            (legend,) = drawn.figure.legends
            self.assertEqual([text.get_text() for text in legend.get_texts()], expected)

    def test_a_scaling_plot_is_of_one_problem_and_names_the_ideal(self):
        row = {"scaling": "strong", "side": "a", "unit": "GFLOPS", "predicted": None}
        answer = {"predictions": None, "scaling": []}
        for size in ("XL", "M"):
            for ranks, rate in ((1, 10.0), (2, 15.0)):
                more = {"curve": f"himeno {size}, single", "ranks": ranks, "rate": rate, "rates": [rate - 1, rate]}
                more |= {"efficiency": rate / ranks / 10, "perfect_rate": 10.0 * ranks}
                answer["scaling"].append(row | more)
        drawn = list(memories.scaling(answer))
        self.assertEqual([plot.name for plot in drawn], ["scaling-strong-himeno-XL", "scaling-strong-himeno-M"])
        rate = drawn[0].figure.axes[0]
        self.assertEqual([line.get_label() for line in rate.lines], ["a: single", "ideal"])
        self.assertEqual([segment[:, 1].tolist() for segment in rate.collections[0].get_segments()], [[9, 10], [14, 15]])

    def test_the_levels_of_a_latency_are_named_and_the_cpu_has_no_line_of_the_gpu(self):
        of = {"memory": "device", "touched": "device", "chain": "random line", "column": "ns", "value": 1.0}
        level = {"level": "L1", "from_bytes": 1024, "to_bytes": 4096, "ns": 10.0} | of
        rows = []
        for path in ("global", "cpu"):
            rows += [of | {"path": path, "footprint": n, "ns": 10.0} for n in (1024, 4096)]
            rows.append({key: value for key, value in level.items() if key != "chain"} | {"path": path})
        answer = {"sides": [{"side": "a", "l2_bytes": 2048}], "probes": [{"side": "a", "probe": "latency", "rows": rows}]}
        gpu, cpu = next(probes.drawn(answer, "latency")).figure.axes[:2]
        self.assertEqual(sorted(text.get_text().strip() for text in gpu.texts), ["L1", "L2"])
        self.assertEqual([text.get_text() for text in cpu.texts], ["L1"])

    def test_names_of_levels_do_not_overlap(self):
        of = {"memory": "device", "touched": "device", "path": "cpu", "column": "ns", "value": 1.0}
        rows = [of | {"chain": "random line", "footprint": n, "ns": n / 1e3} for n in (1e3, 4e9)]
        levels = [("plateau 1", 1e5), ("plateau 2", 5e5), ("plateau 3", 25e5), ("memory", 125e5)]
        rows += [of | {"level": name, "from_bytes": at / 2, "to_bytes": at * 2, "ns": 30.0} for name, at in levels]
        answer = {"sides": [{"side": "a", "l2_bytes": 0}], "probes": [{"side": "a", "probe": "latency", "rows": rows}]}
        figure = next(probes.drawn(answer, "latency")).figure
        names = [text.get_window_extent(figure.canvas.get_renderer()) for text in figure.axes[0].texts]
        self.assertEqual(len(names), len(levels))
        for n, name in enumerate(names):
            self.assertFalse(any(name.overlaps(other) for other in names[:n]), levels[n])

    def test_equal_points_are_all_seen(self):
        _, axes = style.panels(1, 1, 1)
        for number in range(5):
            rows.dot(axes[0, 0], 1.0, 0.0, number)
        sizes = [line.get_markersize() for line in axes[0, 0].lines]
        self.assertEqual(sizes, sorted(set(sizes), reverse=True))

    def test_a_roofline_has_at_most_15_points(self):
        answer = {
            "problem": "p",
            "probes": [
                {"side": "a", "probe": "link", "rows": [{"direction": "device copy", "by": "kernel", "bytes": 1.0, "value": 1.0}]}
            ],
            "sides": [{"side": "a"}],
        }
        case = {"side": "a", "ranks": 1, "unit": "GFLOPS", "speed": 0.6, "bandwidth_gbs": 1.0}
        answer["cases"] = [case | {"problem": f"p{n}", "memory": "device"} for n in range(40)]
        plot = next(memories.roofline(answer))
        points = [line for line in plot.figure.axes[0].lines if line.get_marker() not in ("None", "")]
        self.assertEqual(len(points), 15)

    def rows(self):
        """Device pays 2 s once and 1 a step, managed 10 once and 0.5 a step: equal after 16 steps."""
        row = {"problem": "p", "side": "a", "to_best": 1.0, "seconds": 12.0}
        device = row | {"memory": "device", "once": 2.0, "step_seconds": 1.0}
        managed = row | {"memory": "managed, filled by host", "once": 10.0, "step_seconds": 0.5}
        return {"problem": "p", "sides": [{"side": "a"}], "ranking": [device, managed]}

    def test_the_time_over_the_steps_marks_where_memories_cross(self):
        axis = next(memories.total(self.rows())).figure.axes[0]
        rings = [line.get_xydata().tolist() for line in axis.lines if line.get_marker() == "o"]
        self.assertEqual(rings, [[[16.0, 18.0]]])

    def test_the_map_has_memory_down_and_first_touch_across(self):
        axis = next(memories.touch(self.rows())).figure.axes[0]
        self.assertEqual([text.get_text() for text in axis.get_yticklabels()], ["device", "managed"])
        self.assertEqual([text.get_text() for text in axis.get_xticklabels()], ["filled by GPU", "filled by host"])
        self.assertEqual(sorted(text.get_text() for text in axis.texts), ["-", "-", "12.0 s", "12.0 s"])

    def test_pairs_of_gpus_are_a_matrix(self):
        rows = [{"transfer": "one way", "gpu": a, "peer": 1 - a, "gbs": 100.0 + a} for a in (0, 1)]
        plot = next(probes.peers({"probes": [{"side": "a", "probe": "peers", "rows": rows}]}))
        cells = {text.get_position(): text.get_text() for text in plot.figure.axes[0].texts}
        self.assertEqual(cells, {(1, 0): "100", (0, 1): "101", (0, 0): "-", (1, 1): "-"})

    def test_predictions_are_drawn_and_say_so(self):
        arguments = [
            "--predict",
            "himeno",
            "--nodes",
            "4",
            "--machine",
            os.path.join(INPUTS, "machines/pegasus.toml"),
            "--assume",
            os.path.join(INPUTS, "assume/h100-pcie5.toml"),
            "--plots",
            self.path("plots"),
        ]
        self.good(*arguments)
        names = os.listdir(self.path("plots"))
        self.assertIn("prediction.svg", names)
        self.assertTrue(any(name.startswith("scaling-strong-himeno") for name in names), names)
        with open(self.path("plots/prediction.svg"), encoding="utf-8") as file:
            self.assertIn("PREDICTION, not measured", file.read())

    def test_a_full_disk_is_one_line_and_leaves_nothing(self):
        sides, disk = self.sides(), self.path("disk")
        os.mkdir(disk)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "none", disk], stderr=subprocess.PIPE)
        if mounted.returncode != 0:
            self.skipTest(f"no small file system can be mounted here: {mounted.stderr}")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        for folder in (disk, disk + "/a/b"):
            self.refused(OTHER, f"cannot write {folder}: No space left on device", *sides, "--plots", folder)
            self.assertEqual(os.listdir(disk), [])

    def test_letters_come_from_a_fallback_font_or_a_note_names_them(self):
        one, other = self.sides()
        name = "\N{CJK UNIFIED IDEOGRAPH-65E5}\N{LINEAR A SIGN AB001}"  # no usual font has the second
        plot = ["--plots", self.path("plots"), "--only", "speed"]
        told = self.run_program(f"{name}={one}", other, *plot, XDG_DATA_HOME=self.path("data")).stderr
        self.assertRegex(told, f"^memcompare: note: no font here has .?{name[1]}: .*fonts-noto-cjk\\)\n")
        builder = FontBuilder(1000)
        builder.setupGlyphOrder([".notdef", "sun", "a"])
        builder.setupCharacterMap({ord(name[0]): "sun", ord(name[1]): "a"})
        pen = ttGlyphPen.TTGlyphPen(None)
        for step, corner in enumerate([(0, 0), (0, 700), (700, 700)]):
            (pen.lineTo if step else pen.moveTo)(corner)
        pen.closePath()
        builder.setupGlyf(dict.fromkeys([".notdef", "sun", "a"], pen.glyph()))
        builder.setupHorizontalMetrics(dict.fromkeys([".notdef", "sun", "a"], (800, 0)))
        builder.setupHorizontalHeader(ascent=800, descent=-200)
        builder.setupNameTable({"familyName": "IPAGothic", "styleName": "Regular"})
        builder.setupOS2()
        builder.setupPost()
        os.makedirs(self.path("data/fonts"))
        builder.save(self.path("data/fonts/test.ttf"))
        done = self.run_program(f"{name}={one}", other, *plot, "--force", XDG_DATA_HOME=self.path("data"))
        self.assertEqual((done.returncode, done.stderr), (0, "memcompare: plots drawn as PNG, SVG and PDF: 1\n"))

    def test_the_page_needs_no_other_file(self):
        self.good(*self.sides(), "--html", self.path("page.html"))
        with open(self.path("page.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertEqual(re.findall(r'src="(?!data:)|<link', page), [])
        self.assertLess(re.search("as fast as one|can be told between", page).start(), page.index("<table"))
        self.assertLess(page.index("<table"), page.index("<img"))
        self.assertIn('<h2 id="words">', page)
        curves = page[page.index("<h2>Several ranks") :]
        shown, folded = curves.split("<details>", 1)
        self.assertEqual(shown.count("<p>"), 3, "of many curves three are unfolded")
        self.assertRegex(folded, r"^<summary>more <small>\d+ lines?</small>")
        cited = re.findall(r'<a href="#([a-z0-9-]+)">\[', page)
        self.assertGreater(len(cited), 3, "captions cite their sources")
        for source in cited:
            self.assertIn(f'<dt id="{source}">', page)


if __name__ == "__main__":
    unittest.main()
