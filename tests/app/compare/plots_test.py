# What the plots draw, from runs of machines that do not exist.
import os
import re
import sys
import tempfile
import types
import unittest
import xml.etree.ElementTree

try:
    import h5py  # noqa: F401  (the scripts need both)
    import matplotlib  # noqa: F401
except ImportError:
    print(
        "skipped: this Python has no h5py or matplotlib "
        "(Debian: python3-h5py python3-matplotlib)"
    )
    sys.exit(77)

sys.path.insert(
    0, os.path.join(os.path.dirname(os.environ["PROGRAM"]), "../share/memstencil/plots")
)
DOCS = os.path.join(os.environ["MEMSTENCIL_INPUTS"], "../docs")
sys.path.insert(0, os.path.join(DOCS, "figures"))
import draw  # noqa: E402  (they stand beside the program)
import gallery  # noqa: E402
import hierarchy  # noqa: E402
import himeno  # noqa: E402
import model  # noqa: E402
import losses  # noqa: E402
import results  # noqa: E402
import roofline  # noqa: E402
import scaling  # noqa: E402
import style  # noqa: E402
import synthetic  # noqa: E402
import transpose  # noqa: E402


def curve(label, unit, rate):
    return {
        "weak": False,
        "side": "one",
        "label": label,
        "unit": unit,
        "ranks": [1, 2],
        "rates": [rate, 2 * rate],
        "efficiency": [1.0, 1.0],
    }


class Scaling(unittest.TestCase):
    def test_figures_of_different_units_have_axes_of_their_own(self):
        curves = [
            curve("XL", "GFLOPS", 2000.0),
            curve("tuned", "GB/s", 3.0),
            curve("L", "GFLOPS", 1000.0),
        ]
        (plot,) = scaling.plots(types.SimpleNamespace(scaling=curves, predictions=None))
        drawn = {
            axis.get_ylabel(): [
                line.get_label() for line in axis.lines if line.get_label().startswith("one")
            ]
            for axis in plot.figure.axes
            if axis.get_ylabel().startswith("rate")
        }
        self.assertEqual(
            drawn, {"rate (GFLOPS)": ["one: XL", "one: L"], "rate (GB/s)": ["one: tuned"]}
        )


style.pyplot.rcParams["figure.max_open_warning"] = 0  # the tests look at figures that are not saved
MEMORIES = ("device", "managed", "host-pinned")
PREDICTIONS = {
    "what": "Himeno XL, 3000 sweeps",
    "machines": [
        {
            "machine": name,
            "memories": [
                {
                    "memory": memory,
                    "seconds": seconds,
                    "least": 0.85 * seconds,
                    "most": 1.15 * seconds,
                    "causes": {"link": 0.3 * seconds, "device memory": 0.7 * seconds},
                }
                for memory, seconds in (("device", 20.0), ("host-pinned", 900.0))
            ],
        }
        for name in ("one", "other")
    ],
}


def whole_context(model_runs=(), marks=()):
    """Two machines with every kind of run; the marks of published figures."""
    with tempfile.TemporaryDirectory() as folder:
        files, sides = [], []
        for on, scale in ((synthetic.ONE, 1.0), (synthetic.OTHER, 2.0)):
            runs = synthetic.whole(on, scale)
            names = [run.get("memspace", {}).get("requested") for run in runs]
            listed = [
                {"file": len(files), "run": f"{n + 1:04}", "memory": name, "identity": {"run": n}}
                for n, name in enumerate(names)
            ]
            sides.append({"label": on["hostname"], "theory": {}, "runs": listed})
            files.append(synthetic.write_file(os.path.join(folder, on["hostname"]), runs))
        plan = {"sides": sides, "published": [], "marks": list(marks), "model": list(model_runs)}
        plan |= {"scaling": [], "predictions": PREDICTIONS}
        return draw.Context(plan, files)


def texts(figure):
    return [text.get_text() for text in figure.findobj(style.pyplot.Text)]


class EveryPlot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        run = {
            "machine": "one",
            "case": "a case",
            "predicted": 1.0,
            "measured": 2.0,
            "of": "Himeno",
        }
        cls.plots = [plot for _, plot in draw.all_plots(whole_context([run]))]

    def test_has_a_title_within_and_a_caption(self):
        for plot in self.plots:
            within = [text.replace("\n", " ") for text in texts(plot.figure)]
            self.assertIn(plot.title, within)
            self.assertGreater(len(plot.caption), 40, plot.name)

    def test_is_as_wide_as_all_others_so_that_a_phone_need_not_shrink_it(self):
        self.assertEqual({plot.figure.get_figwidth() for plot in self.plots}, {style.WIDTH})

    def test_has_nothing_beyond_its_edges(self):
        for plot in self.plots:
            box = plot.figure.get_tightbbox(plot.figure.canvas.get_renderer())
            self.assertGreater(box.x0, -0.05, plot.name)
            self.assertLess(box.x1, style.WIDTH + 0.05, plot.name)
            self.assertGreater(box.y0, -0.05, plot.name)

    def test_has_a_name_of_its_own_without_a_size_in_bytes(self):
        names = [plot.name for plot in self.plots]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual([name for name in names if "000000" in name or " " in name], [])

    def test_is_of_a_kind_that_stands_in_the_gallery(self):
        for plot in self.plots:
            self.assertEqual(gallery.kind_of(plot.name), plot.kind)
        drawn = {plot.kind for plot in self.plots} | {"scaling-strong", "scaling-weak"}
        self.assertEqual(drawn, set(gallery.KINDS))

    def test_three_lead(self):
        kinds = [plot.kind for plot in self.plots if plot.lead]
        self.assertEqual(kinds, ["himeno-speed", "himeno-phases", "himeno-sweeps"])

    def test_legends_have_a_marker_or_line_for_each_entry(self):
        for plot in self.plots:
            for legend in plot.figure.legends:
                handles = getattr(legend, "legend_handles", None) or legend.legendHandles
                for text, handle in zip(legend.get_texts(), handles):
                    if text.get_text()[:1] in " 123456":  # the model's list of runs has numbers
                        continue
                    bare = getattr(handle, "get_linestyle", lambda: "-")() in ("None", "none")
                    marker = getattr(handle, "get_marker", lambda: "o")()
                    self.assertFalse(bare and marker in ("None", "", None), f"{plot.name}: {text}")


class Gallery(unittest.TestCase):
    def test_shows_each_kind_by_a_small_picture_or_says_that_no_sample_has_it(self):
        with open(os.path.join(DOCS, "gallery.md"), encoding="utf-8") as file:
            sections = dict(part.split("\n", 1) for part in file.read().split("\n## ")[1:])
        self.assertEqual(list(sections), list(gallery.KINDS))
        for kind, text in sections.items():
            pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", text)
            self.assertEqual(len(pictures), 0 if kind in gallery.WITHOUT_SAMPLES else 1, kind)
            for path in pictures:
                self.assertLessEqual(os.path.getsize(os.path.join(DOCS, path)), gallery.LARGEST)


class Himeno(unittest.TestCase):
    def problem(self, runs):
        side = types.SimpleNamespace(label="one", theory={}, himeno=lambda: runs)
        context = types.SimpleNamespace(sides=[side], beside=lambda _: [])
        ((problem, memories),) = himeno._problems(context).items()
        return context, problem, memories

    def runs(self):
        longer = synthetic.himeno(synthetic.ONE, 2800, iterations=100, first=0.0)
        longer |= {"memory": "device", "identity": {}}
        shorter = synthetic.himeno(synthetic.ONE, 45, 55, "link", "host-pinned", iterations=10)
        return [longer, shorter | {"memory": "host-pinned", "identity": {}}]

    def test_each_number_of_sweeps_has_an_axis_of_its_own(self):
        plot = himeno._phases(*self.problem(self.runs()))
        titles = [axis.get_title("left") for axis in plot.figure.axes]
        self.assertEqual(titles, ["100 sweeps", "10 sweeps"])
        widest = [axis.get_xlim()[1] for axis in plot.figure.axes]
        self.assertGreater(widest[1], 2 * widest[0])

    def test_the_pass_of_the_gpu_before_the_sweeps_is_a_phase_of_its_own(self):
        (run,) = self.runs()[:1]
        run["phases"]["pre-touch"] = 5.0
        plot = himeno._phases(*self.problem([run]))
        (legend,) = plot.figure.legends
        self.assertIn("pre-touch", [text.get_text() for text in legend.get_texts()])
        whole = sum(run["phases"].values())
        self.assertIn(f"{style.number(whole)} s", "".join(texts(plot.figure)))
        looks = [str(style.bar(number)) for number in himeno.PHASES.values()]
        self.assertEqual(len(set(looks)), len(himeno.PHASES))

    def test_set_up_counts_and_a_shorter_run_is_extrapolated(self):
        longer, shorter = self.runs()
        whole = himeno._whole_rate(longer, 100)
        self.assertAlmostEqual(whole, longer["mflops_end_to_end"] / 1e3)
        seconds, total = shorter["sweeps"]["seconds"], sum(shorter["phases"].values())
        flops = shorter["mflops_end_to_end"] / 1e3 * total / 10
        self.assertAlmostEqual(
            himeno._whole_rate(shorter, 100), 100 * flops / (total + 90 * seconds[5])
        )
        plot = himeno._speed(*self.problem(self.runs()))
        self.assertIn("extrapolated", plot.caption)
        self.assertEqual(sum("*)" in text for text in texts(plot.figure)), 1)

    def test_energy_is_left_out_where_no_run_has_it(self):
        context, problem, memories = self.problem(self.runs())
        self.assertIsNone(himeno._energy(context, problem, memories))
        memories["device"]["one"][1]["energy"] = {"gpus": {"joules_per_iteration": 2.5}}
        plot = himeno._energy(context, problem, memories)
        self.assertIn("2.50 J", texts(plot.figure))


    def test_sweeps_left_over_from_fused_passes_are_not_drawn(self):
        run = {"sweeps": {"seconds": [0.1] * 9 + [0.4]}, "sweep": "temporal:3"}
        self.assertEqual(himeno._whole_passes(run), [0.1] * 9)
        self.assertEqual(len(himeno._whole_passes(run | {"sweep": "single"})), 10)


class Legends(unittest.TestCase):
    def test_long_names_take_fewer_columns(self):
        figure, axes = style.panels(1, 1)
        for number in range(4):
            axes[0, 0].plot([1, 2], label=f"a machine whose name is a long one, pageable {number}")
        plot = style.Plot("kind", "Title", "caption", figure, columns=2)
        (legend,) = plot.figure.legends
        width = legend.get_window_extent(figure.canvas.get_renderer()).width
        self.assertLessEqual(width, style.WIDTH * figure.dpi)
        self.assertEqual(len(legend.get_texts()), 4)


class FewRows(unittest.TestCase):
    def test_figures_stand_beside_their_rows(self):
        run = synthetic.transpose(synthetic.ONE)
        run |= {"memory": "host memory", "variants": run["variants"][1:]}
        side = types.SimpleNamespace(label="one", theory={}, of_program=lambda _: [run])
        context = types.SimpleNamespace(sides=[side])
        ((problem, runs),) = transpose._problems(context).items()
        plot = transpose._variants(context, problem, runs)
        beside = [text for text in plot.figure.axes[0].texts if text.xy[0] == 1]
        self.assertEqual([text.xyann for text in beside], [(0, 0)] * 3, "none is pushed aside")


class Model(unittest.TestCase):
    def test_numbers_of_equal_points_stand_apart(self):
        figure, axes = style.panels(1, 1, 3.8)
        runs = [
            {"machine": "one", "case": case, "predicted": 0.5, "measured": 1.0} for case in "abcd"
        ]
        axes[0, 0].set(xlim=(0.1, 10), ylim=(0.1, 10), xscale="log", yscale="log")
        model._named(axes[0, 0], runs)
        places = [text.xyann for text in axes[0, 0].texts]
        self.assertEqual(len(set(places)), 4)

    def test_runs_outside_the_band_are_named_the_worst_first(self):
        runs = [
            {
                "machine": "one",
                "case": case,
                "predicted": predicted,
                "measured": 1.0,
                "of": "Himeno",
            }
            for case, predicted in (("good", 1.1), ("bad", 0.8), ("worst", 1.5))
        ]
        sides = [types.SimpleNamespace(label="one")]
        context = types.SimpleNamespace(model=runs, sides=sides, predictions=None)
        (plot,) = model.plots(context)
        (legend,) = plot.figure.legends
        named = [text.get_text() for text in legend.get_texts() if text.get_text()[0].isdigit()]
        self.assertEqual(named, ["1: one: worst: +50 %", "2: one: bad: -20 %"])


class Shared(unittest.TestCase):
    FIT = [
        {"where": {"derived": f"64-bit loads.paper_fit.{name}"}, "low": value}
        for name, value in (("C1", 1.047), ("C2", 337.698))
    ]

    def lines(self, published):
        side = whole_context([]).sides[0]
        context = types.SimpleNamespace(sides=[side], published=published)
        (probe,) = side.probes("shared")
        plot = hierarchy._shared(context, side, probe, "64-bit loads")
        return {line.get_label(): line for line in plot.figure.axes[0].lines}

    def test_a_published_fit_is_drawn_beside_ours(self):
        line = self.lines(self.FIT)["published: 1.047 iwc + 337.7"]
        x, y = line.get_xdata()[1], line.get_ydata()[1]
        self.assertAlmostEqual(y, 1.047 * x + 337.698)

    def test_half_a_published_fit_is_none(self):
        drawn = self.lines(self.FIT[:1])
        self.assertEqual([label for label in drawn if label.startswith("published")], [])


class Losses(unittest.TestCase):
    def test_are_drawn_from_the_smallest_to_the_largest_size_of_each_machine(self):
        (plot,) = losses.plots(whole_context())
        axis = plot.figure.axes[0]
        for pattern, lost in (("system, pattern 1", 0.0), ("system, pattern 8", 10.0)):
            (y,) = [
                place
                for place, text in zip(axis.get_yticks(), axis.get_yticklabels())
                if text.get_text() == pattern
            ]
            dots = [line.get_xdata()[0] for line in axis.lines if list(line.get_ydata()) == [y]]
            self.assertEqual([round(x, 6) for x in dots], [lost, lost], pattern)
        self.assertIn("one, 4 GB to 8 GB", texts(plot.figure))

    def of_size(self, memory, size, gbs):
        measured = [{"parameters": {"memory": memory}}]
        derived = {f"{size} bytes": {"pattern 1": {"steady_gbs": gbs}}}
        return {"derived": derived, "measurements": measured}

    def test_of_one_size_or_of_two_memories_are_not_drawn(self):
        runs = [self.of_size("managed", 10**9, 70.0), self.of_size("system", 4 * 10**9, 60.0)]
        for several in (runs[:1], runs):
            probes = {"patterns": several, "migration": []}
            side = types.SimpleNamespace(label="one", probes=probes.get)
            self.assertEqual(list(losses.plots(types.SimpleNamespace(sides=[side]))), [])


class Roofline(unittest.TestCase):
    def test_each_machine_has_its_memories_as_lines_and_its_runs_as_rows(self):
        plots = list(roofline.plots(whole_context()))
        self.assertEqual([plot.name for plot in plots], ["roofline-one", "roofline-other"])
        names = [text.get_text() for text in plots[0].figure.legends[0].get_texts()]
        self.assertTrue(any(name.startswith("device memory: 30") for name in names), names)
        self.assertTrue(any(name.startswith("link, device to host") for name in names), names)
        rows = [text.get_text() for text in plots[0].figure.axes[0].get_yticklabels()]
        for memory in MEMORIES:
            self.assertIn(memory, rows)
        for group in ("_migration", "_matrix_copies", "_l2"):
            for points in getattr(roofline, group)(whole_context().sides[0]).values():
                self.assertLessEqual(points.keys(), set(rows), group)


class OddNames(unittest.TestCase):
    ODD = r"$\bad{x}^$ a_1%"

    def test_are_no_formula(self):
        for name in (self.ODD, "\x1b[2J\n", "x" * 60_000):
            figure, axes = style.panels(1, 1)
            name = results.shortened(name)
            axes[0, 0].plot([1, 8], [1, 2], label=name)
            style.bytes_scale(axes[0, 0])
            with tempfile.TemporaryDirectory() as folder:
                style.Plot("odd", name, name, figure, [results.file_name(name)]).save(folder)
                (svg,) = [each for each in os.listdir(folder) if each.endswith(".svg")]
                drawn = xml.etree.ElementTree.parse(os.path.join(folder, svg))
            within = " ".join(text for text in drawn.getroot().itertext())
            self.assertEqual("$" in within, "$" in name)
            self.assertLess(len(within), 2000)

    def test_are_cut_and_printable_wherever_they_stand(self):
        plan = {"sides": [{"label": "y" * 101, "runs": ["z" * 100, 1.0, None, "a\x9b\n"]}]}
        (side,) = results.shortened(plan)["sides"]
        self.assertEqual(side["label"], "y" * 99 + "\N{HORIZONTAL ELLIPSIS}")
        self.assertEqual(side["runs"], ["z" * 100, 1.0, None, "a??"])


class Sizes(unittest.TestCase):
    def test_are_written_as_the_rounder_number(self):
        sizes = {
            2**30: "1 GiB",
            4 * 10**9: "4 GB",
            2**29: "512 MiB",
            48 * 1024: "48 KiB",
            256: "256 B",
        }
        self.assertEqual({size: results.size_text(size) for size in sizes}, sizes)
        self.assertEqual(results.file_name("1 GiB", "by size"), "1GiB-by-size")


if __name__ == "__main__":
    unittest.main()
