# The plots and the page: what is drawn, under which names.
import os
import re
import subprocess
import sys
import unittest
from urllib.parse import unquote
from xml.etree import ElementTree

try:
    import h5py  # noqa: F401  (synthetic needs it)
    import matplotlib  # noqa: F401
    from matplotlib.backends.backend_agg import FigureCanvasAgg
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
import style  # noqa: E402


def texts_of(svg):
    """The whole texts of a picture, which has to be well-formed."""
    texts = [each for each in ElementTree.fromstring(svg).iter() if each.tag.endswith("}text")]
    return "".join(sorted("".join(each.itertext()).strip() for each in texts))


class Plots(CommandLine):
    def page_with_all_texts(self):
        """The page, whose pictures have the texts of the files."""
        with open(self.path("page.html"), encoding="utf-8") as file:
            page = file.read()
        shown = sorted(texts_of(unquote(svg)) for svg in re.findall(r'src="data:image/svg[+]xml,([^"]*)"', page))
        drawn = []
        for name in os.listdir(self.path("plots")):
            if name.endswith(".svg"):
                with open(self.path(f"plots/{name}"), encoding="utf-8") as file:
                    drawn.append(texts_of(file.read()))
        self.assertEqual(shown, sorted(drawn))
        return page

    def test_every_plot_of_results_is_drawn_as_png_svg_and_pdf_and_for_a_page_that_needs_no_other_file(self):
        sides = [os.path.join(INPUTS, "reference/samples", side) for side in ("h100-x2", "h200")]
        self.good(*sides, "--plots", self.path("plots"), "--html", self.path("page.html"))
        names = os.listdir(self.path("plots"))
        for kind in ("png", "svg", "pdf"):
            of_kind = [name for name in names if name.endswith(kind)]
            for plot in style.PLOTS:
                if plot != "prediction":
                    self.assertTrue(any(name.startswith(plot) for name in of_kind), f"{plot}.{kind}: {names}")
        self.assertFalse([name for name in names if name.startswith(".")])
        page = self.page_with_all_texts()
        self.assertEqual(re.findall(r'src="(?!data:)|<link', page), [])
        self.assertLess(page.index("as fast as h100-x2"), page.index("<table"))
        self.assertLess(page.index("<table"), page.index("<img"))
        self.assertNotIn("<script", page)
        open_ones = re.sub(r"<details.*?</details>", "", page, flags=re.S)
        self.assertLessEqual(open_ones.count("<img"), 8)
        self.assertGreater(page.count("<img"), open_ones.count("<img"), "the others are folded")
        cited = re.findall(r'<a href="#([a-z0-9-]+)">\[', page)
        self.assertGreater(len(cited), 3, "captions cite their sources")
        for source in cited:
            self.assertIn(f'<dt id="{source}">', page)

    def probed(self, probe, rows, sides=("a",)):
        return {
            "sides": [{"side": side, "l2_bytes": 2048} for side in sides],
            "published": [],
            "probes": [{"side": side, "probe": probe, "rows": rows} for side in sides],
        }

    def test_several_sides_have_their_ratio_to_the_first(self):
        row = {"scope": "warp", "type": "int32", "method": "shuffle", "column": "cycles"}
        answer = self.probed("warp", [], ("a", "b"))
        for of, value in zip(answer["probes"], (100.0, 150.0)):
            of["rows"] = [row | {"value": value}]
        (drawn,) = probes.drawn(answer, "warp")
        values, ratios = drawn.figure.axes
        self.assertEqual([line.get_xdata()[0] for line in values.lines], [100.0, 150.0])
        self.assertEqual(ratios.lines[0].get_xdata()[0], 1.5)
        self.assertEqual(ratios.get_xlabel(), "times a")
        self.assertNotEqual(*(line.get_ydata()[0] for line in values.lines))  # both are seen

    def copies(self, column="gbs"):
        return [
            {"direction": direction, "memory": "pinned", "by": "copy engine", "bytes": size, column: 1.0, "column": column}
            for direction in ("HtoD", "DtoH")
            for size in (1024, 2048)
        ]

    def test_lines_are_named_at_their_ends_and_each_side_has_a_panel_of_its_colour(self):
        (drawn,) = probes.drawn(self.probed("link", self.copies(), ("a", "b")), "link")
        self.assertEqual([axis.get_title("left") for axis in drawn.figure.axes], ["a", "b"])
        self.assertEqual(drawn.figure.legends, [])
        for number, axis in enumerate(drawn.figure.axes):
            self.assertEqual([text.get_text() for text in axis.texts], ["to host", "to device"])
            (_, up), (_, down) = (text.xyann for text in axis.texts)
            self.assertGreaterEqual(abs(up - down), style.LINE - 1e-6, "equal ends have names apart")
            looks = [style.dark(number, n) for n in (0, 1)]
            self.assertEqual([list(text.get_color()) for text in axis.texts], looks)

    def test_a_legend_names_each_side_and_each_line_once(self):
        rows = [
            {"access": access, "side": size, "step": step, "gbs": 1.0, "column": "gbs"}
            for access in ("offset", "stride")
            for size in (1024.0, 2048.0)
            for step in (1, 2)
        ]
        for sides, expected in (
            (["a"], ["1024 x 1024", "2048 x 2048"]),
            (["a", "b"], ["a", "b", "1024 x 1024", "2048 x 2048"]),
        ):
            (drawn,) = probes.drawn(self.probed("copy", rows, sides), "copy")
            (legend,) = drawn.figure.legends
            self.assertEqual([text.get_text() for text in legend.get_texts()], expected)

    def test_a_side_has_one_colour_on_all_pictures_whatever_else_is_drawn(self):
        answer = self.probed("copy", [], ("a", "b"))
        row = {"access": "offset", "side": 1024.0, "gbs": 1.0, "column": "gbs"}
        answer["probes"] = [{"side": "b", "probe": "copy", "rows": [row | {"step": step} for step in (1, 2)]}]
        (drawn,) = probes.drawn(answer, "copy")
        self.assertEqual(drawn.figure.axes[0].lines[0].get_color(), style.shade(1, 0))
        row = {"scope": "warp", "type": "int32", "method": "shuffle", "column": "cycles", "value": 1.0}
        answer["probes"] = [{"side": "b", "probe": "warp", "rows": [row]}]
        (drawn,) = probes.drawn(answer, "warp")
        self.assertEqual(drawn.figure.axes[0].lines[0].get_color(), style.shade(1, 0))
        self.assertEqual(len(set(style.COLOURS)), 8)

    def test_a_scale_has_at_least_three_ticks_inside_it(self):
        for low, high in ((1.0, 1.2), (3.0, 9.0), (20.0, 3000.0), (1e-9, 1e13), (9.9, 10.1)):
            _, (axis,) = style.panels(1, 1, 1)
            axis.plot([low, high], [low, high])
            self.assertIn("log", style.log_scale(axis, "y"))
            low, high = axis.get_ylim()
            ticks = [tick for tick in axis.get_yticks() if low <= tick <= high]
            self.assertGreaterEqual(len(ticks), 3, (low, high))
        for high in (2.0, 5000.0, 2.0**40):
            _, (axis,) = style.panels(1, 1, 1)
            axis.plot([1.0, high], [1.0, 1.0])
            self.assertIn("log", style.log_scale(axis, "x", 4, 2, style.size_text))
            ticks = [tick for tick in axis.get_xticks() if axis.get_xlim()[0] <= tick <= axis.get_xlim()[1]]
            self.assertGreaterEqual(len(ticks), 3, high)

    def test_names_of_ends_keep_their_order_and_room(self):
        self.assertEqual(style.apart([5, 1, 50], 8, 0, 100), [9, 1, 50])
        self.assertEqual(style.apart([95, 99, 98], 8, 0, 100), [84, 100, 92])

    def test_a_published_figure_is_a_mark_in_the_panel_that_it_concerns(self):
        row = {"pattern": 5.0, "source": "host", "destination": "host", "executor": "device", "memory": "managed", "bytes": 1e9}
        row |= {"column": "gbs", "gbs": 1.0, "series": [[1.0, 2.0]]}
        answer = self.probed("patterns", [row, row | {"pattern": 6.0}])
        figure = {"probe": "patterns", "unit": "GB/s", "difference": False, "low": 2300.0, "source": "s"}
        where = {"pattern": 5, "memory": "system", "bytes": 8e9}
        answer["published"] = [figure | {"where": where}, figure | {"where": where, "difference": True, "low": -1.0}]
        (drawn,) = probes.drawn(answer, "patterns")
        marks = [[line.get_ydata()[0] for line in axis.lines if line.get_marker() == "<"] for axis in drawn.figure.axes]
        self.assertEqual(marks, [[2300.0], []])

    def test_the_levels_of_the_first_latency_are_named(self):
        of = {"memory": "device", "touched": "device", "chain": "random line", "column": "ns", "value": 1.0}
        level = {"level": "L1", "from_bytes": 1024, "to_bytes": 4096, "ns": 10.0} | of
        rows = []
        for path, memory in (("global", "device"), ("cpu", "system")):
            path = {"path": path, "memory": memory, "pages": "default"}
            rows += [of | path | {"footprint": n, "ns": 10.0} for n in (1024, 4096)]
            rows.append({key: value for key, value in level.items() if key != "chain"} | path)
        (axis,) = next(probes.drawn(self.probed("latency", rows), "latency")).figure.axes
        self.assertEqual(sorted(text.get_text().strip() for text in axis.texts), ["CPU", "GPU, device", "L1", "L2"])

    def test_names_of_levels_do_not_overlap(self):
        of = {"memory": "device", "path": "global", "column": "ns", "value": 1.0}
        rows = [of | {"chain": "random line", "footprint": n, "ns": n / 1e3} for n in (1e3, 4e9)]
        levels = [("L1", 1e5), ("translation", 5e5), ("memory, far", 25e5), ("memory", 125e5)]
        rows += [of | {"level": name, "from_bytes": at / 2, "to_bytes": at * 2, "ns": 30.0} for name, at in levels]
        figure = next(probes.drawn(self.probed("latency", rows), "latency")).figure
        known = {name for name, _ in levels}
        texts = [text for text in figure.axes[0].texts if text.get_text() in known]
        names = [text.get_window_extent(FigureCanvasAgg(figure).get_renderer()) for text in texts]
        self.assertEqual(len(names), len(levels))
        for n, name in enumerate(names):
            self.assertFalse(any(name.overlaps(other) for other in names[:n]), levels[n])

    def roofline(self, count):
        link = {"direction": "device copy", "by": "kernel", "bytes": 1.0, "value": 1.0}
        answer = self.probed("link", [link])
        case = {"side": "a", "ranks": 1, "unit": "GFLOPS", "speed": 0.6, "bandwidth_gbs": 1.0, "program": "himeno"}
        sweeps = ["single", "temporal:3", "temporal:96"]
        answer["cases"] = [
            case | {"problem": f"himeno {n}, {kind}", "memory": f"memory {n % count}", "bytes": n + 1.0}
            for n in range(2 * count)
            for kind in sweeps
        ]
        (plot,) = memories.roofline(answer)
        lines = [line for line in plot.figure.axes[0].lines if len(line.get_xdata()) == 1]
        return plot, [line for line in lines if line.get_marker() not in ("None", "")]

    def test_a_roofline_has_at_most_six_named_points(self):
        plot, points = self.roofline(20)
        self.assertEqual(len(points), 6)
        self.assertEqual(len(plot.figure.axes[0].texts), 6 + 1)

    def test_predictions_are_drawn_and_say_so(self):
        assume = os.path.join(INPUTS, "assume/h100-pcie5.toml")
        options = ["--nodes", "4", "--machine", "pegasus", "--assume", assume]
        self.good("--predict", "himeno", *options, "--plots", self.path("plots"), "--html", self.path("page.html"))
        self.page_with_all_texts()
        names = os.listdir(self.path("plots"))
        self.assertIn("prediction.svg", names)
        self.assertTrue(any(name.startswith("scaling-strong-himeno") for name in names), names)
        with open(self.path("plots/prediction.svg"), encoding="utf-8") as file:
            self.assertIn("PREDICTION, not measured", file.read())

    def test_a_full_disk_is_one_line_and_leaves_nothing(self):
        run, disk = synthetic.write_file(self.path("a.h5"), synthetic.himeno(synthetic.ONE, 2000)), self.path("disk")
        os.mkdir(disk)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=40k", "none", disk], stderr=subprocess.PIPE)
        if mounted.returncode != 0:
            self.skipTest(f"no small file system can be mounted here: {mounted.stderr}")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        for folder in (disk, disk + "/a/b"):
            self.refused(OTHER, f"cannot write {folder}: No space left on device", run, "--plots", folder)
            self.assertEqual(os.listdir(disk), [])


if __name__ == "__main__":
    unittest.main()
