# What the plots of each kind of run draw, from runs of machines that do not exist.
import types
import unittest

from drawing import MEMORIES, texts, whole_context  # first: it says where the scripts are
import hierarchy
import himeno
import losses
import model
import roofline
import scaling
import style
import synthetic
import transpose


def curve(label, unit, rate):
    return {
        "weak": False,
        "side": "one",
        "label": label,
        "unit": unit,
        "ranks": [1, 2],
        "processors": [1, 2],
        "rates": [rate, 2 * rate],
        "predicted": [None, None],
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


    def test_a_prediction_is_a_dashed_line_beside_measured_points(self):
        predicted = curve("XL", "GFLOPS", 2000.0) | {"predicted": [1900.0, 3000.0]}
        rate = self.rate_axis([predicted])
        (points,) = [line for line in rate.lines if line.get_label() == "one: XL"]
        self.assertEqual(points.get_linestyle(), "None")
        (dashed,) = [line for line in rate.lines if line.get_linestyle() == "--"]
        self.assertEqual(list(dashed.get_ydata()), [1900.0, 3000.0])

    def test_ranks_that_share_a_gpu_are_no_more_on_the_perfect_line(self):
        rate = self.rate_axis([curve("XL", "GFLOPS", 2000.0) | {"processors": [1, 1]}])
        (perfect,) = [line for line in rate.lines if line.get_linestyle() == ":"]
        self.assertEqual(list(perfect.get_ydata()), [2000.0, 2000.0])

    def rate_axis(self, curves):
        (plot,) = scaling.plots(types.SimpleNamespace(scaling=curves, predictions=None))
        return plot.figure.axes[0]


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
        run = {"sweeps": {"seconds": [0.1] * 9 + [0.4]}, "sweep": "temporal:3", "sweep_seconds": {"count": 10}}
        self.assertEqual(list(himeno._whole_passes(run)), [tuple(range(1, 10)), (0.1,) * 9])
        self.assertEqual(len(list(himeno._whole_passes(run | {"sweep": "single"}))[0]), 10)

    def test_of_more_sweeps_than_are_kept_each_has_its_number(self):
        run = {"sweeps": {"seconds": [0.1] * 4}, "sweep": "temporal:3", "sweep_seconds": {"count": 11}}
        self.assertEqual(list(himeno._whole_passes(run))[0], (1, 4, 7))


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


if __name__ == "__main__":
    unittest.main()
