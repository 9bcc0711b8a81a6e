# Pins the scale of the plots: what they draw are the answer's own figures, in the unit of their axis.
import os
import re
import sys
import unittest

try:
    import matplotlib  # noqa: F401
except ImportError:
    print("skipped: this Python has no matplotlib (Debian: python3-matplotlib)")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(os.environ["PROGRAM"]), "../share/memstencil/plots"))
import memories  # noqa: E402  (they stand next to the program)
import probes  # noqa: E402
import style  # noqa: E402

SECONDS = [0.5, 0.1, 0.1, 0.1]
CASE = {"case": "c", "side": "a", "unit": "GFLOPS", "problem": "himeno XL, temporal:3", "memory": "device", "ranks": 1,
        "speed": 900.0, "speeds": [880.0, 910.0], "bandwidth_gbs": 600.0, "limit_speed": 1500.0, "seconds": 4.0,
        "steps": 4, "step": "sweep", "bytes": 1e9, "program": "himeno", "series": {"step": [1, 2, 3, 4], "seconds": SECONDS},
        "parts": {"allocate": 1.0, "steps": 3.0}}
RANKED = {"problem": "p", "side": "a", "memory": "device", "case": "c", "to_best": 1.0, "extrapolated": False}
LINK = {"direction": "device copy", "by": "kernel"}
ANSWER = {
    "problem": "p", "sides": [{"side": "a", "l2_bytes": None, "multiprocessors": 10, "sm_clock_mhz": 1500.0}],
    "cases": [CASE], "predictions": None, "ranking": [RANKED],
    "published": [{"side": "a", "case": "c", "unit": "GFLOPS", "low": 700.0, "published": "x", "source": "s",
                   "probe": "", "difference": difference} for difference in (False, True)],
    "probes": [{"side": "a", "probe": "link", "rows": [LINK | {"bytes": 1e9, "value": 3000.0},
                                                       LINK | {"bytes": 1e6, "value": 9000.0}]}]}
# The unit of each column that a plot draws, and how many of it are one of the answer's.
UNITS = {"gbs": "GB/s", "ns": "ns", "seconds": "s", "per_clock": "a clock", "per_second": "a second", "cycles": "cycles",
         "speed": "GB/s", "bytes": None, "footprint": None, "dealt_bytes": None, "warps": None, "limit": None,
         "repeat": None, "step": "elements", "sweep": None, "ms": "ms"}  # sizes have their unit at each tick
TIMES = {"s": 1.0, "ms": 1e3, "%": 100.0, "GFLOPS": 1.0, "GB/s": 1.0}


class PlotsScale(unittest.TestCase):
    def lines(self, plot, axis=0):
        """[(x, y)] of the lines of an axis."""
        return [(list(line.get_xdata()), list(line.get_ydata())) for line in plot.figure.axes[axis].lines]

    def unit(self, label):
        """In the brackets of a label."""
        found = re.search(r"\(([^)]*)\)", label)
        return found and found[1]

    def near(self, values, expected):
        self.assertEqual(len(values), len(expected))
        for value, right in zip(values, expected):
            self.assertAlmostEqual(value / right, 1, 9, f"{values} are not {expected}")

    def test_speeds_their_spread_their_limit_and_published_ones(self):
        (plot,) = probes.drawn(ANSWER, "speed")
        x = [x for x, _ in self.lines(plot)]
        self.near(x[0], [1500.0, 1500.0])
        self.near(x[1], [880.0, 910.0])
        self.near(x[2], [900.0])
        self.near(x[3], [700.0])
        self.assertEqual(len(x), 4)
        self.assertEqual(self.unit(plot.figure.axes[0].get_xlabel()), "GFLOPS")

    def test_the_unit_of_a_speed_is_its_case_s(self):
        case = CASE | {"unit": "GB/s", "step": "transpose"}
        (plot,) = probes.drawn(ANSWER | {"cases": [case]}, "speed")
        self.assertEqual(plot.figure.axes[0].get_xlabel(), "speed of the transposes (GB/s), log scale")

    def test_what_is_extrapolated_is_open(self):
        ranking = [RANKED, RANKED | {"memory": "m2", "case": "d", "extrapolated": True, "to_best": 2.0}]
        answer = ANSWER | {"cases": [CASE, CASE | {"case": "d"}], "ranking": ranking, "published": []}
        (plot,) = probes.drawn(answer, "speed")
        faces = {line.get_ydata()[0]: line.get_markerfacecolor() for line in plot.figure.axes[0].lines if len(line.get_xdata()) == 1}
        self.assertEqual([face == "white" for _, face in sorted(faces.items())], [False, True])

    def test_phases_are_shares_of_the_whole(self):
        (plot,) = probes.drawn(ANSWER, "phases")
        axis = plot.figure.axes[0]
        times = TIMES[self.unit(axis.get_xlabel())]
        self.near([bar.get_width() for bar in axis.patches[:2]], [times * 0.25, times * 0.75])

    def test_sweeps_are_in_the_unit_of_their_axis(self):
        (plot,) = probes.drawn(ANSWER, "sweeps")
        times = TIMES[self.unit(plot.figure.axes[0].get_ylabel())]
        self.near(self.lines(plot)[0][1], [times * second for second in SECONDS])

    def test_a_roofline_is_the_rate_times_the_operations_a_byte_under_the_arithmetic(self):
        peak = {"instruction": "fp32 fma", "peak_per_clock": 4.0}
        issue = {"side": "a", "probe": "issue", "rows": [peak, peak | {"peak_per_clock": 3.0}]}
        (plot,) = memories.roofline(ANSWER | {"probes": ANSWER["probes"] + [issue]})
        points, memory, arithmetic = self.lines(plot)[:3]
        self.near(points[0], [3 * 900.0 / 600.0])
        self.near(points[1], [900.0])
        self.near(memory[1], [3000.0 * x for x in memory[0]])  # of the largest copy
        self.near(arithmetic[1], 2 * [2 * 32 * 4.0 * 10 * 1.5])  # operations, lanes, a clock, processors, GHz
        self.near([min(memory[1][1], arithmetic[1][0])], [memory[1][1]])
        axis = plot.figure.axes[0]
        self.assertEqual((self.unit(axis.get_xlabel()), self.unit(axis.get_ylabel())), ("flop/byte", "GFLOPS"))

    def test_a_prediction_is_in_seconds(self):
        prediction = {"least_seconds": 10.0, "most_seconds": 14.0, "causes": {"link": 2.5, "device memory": 10.0}}
        cases = [CASE | {"seconds": 12.5, "prediction": prediction}]
        answer = ANSWER | {"cases": cases, "predictions": {"unit": "GFLOPS"}, "problem_title": "p"}
        (plot,) = probes.drawn(answer, "prediction")
        time, shares = plot.figure.axes
        self.near([x for x, _ in self.lines(plot)][-1], [12.5 * TIMES[self.unit(time.get_xlabel())]])
        times = TIMES[self.unit(shares.get_xlabel())]
        self.near([bar.get_width() for bar in shares.patches[:2]], [times * 0.2, times * 0.8])

    def test_scaling_of_one_problem_has_rates_and_per_cent_and_names_the_ideal(self):
        points = [{"scaling": "strong", "side": "a", "curve": f"himeno {size}, single", "unit": "GFLOPS", "ranks": n,
                   "rate": rate, "rates": [rate - 1, rate], "perfect_rate": 100.0 * n, "efficiency": rate / n / 100,
                   "predicted": 1.1 * rate} for size in ("XL", "M") for n, rate in ((1, 100.0), (4, 240.0))]  # fmt: skip
        plot, other = memories.scaling(ANSWER | {"scaling": points})
        self.assertEqual([plot.name, other.name], ["scaling-strong-himeno-XL", "scaling-strong-himeno-M"])
        (legend,) = plot.figure.legends
        self.assertEqual([text.get_text() for text in legend.get_texts()], ["ideal", "predicted (dashed)", "single"])
        axis = plot.figure.axes[0]
        self.assertEqual([of[:, 1].tolist() for of in axis.collections[0].get_segments()], [[99, 100], [239, 240]])
        rate, perfect, predicted = (y for _, y in self.lines(plot, 0) if len(y) > 0)
        self.assertEqual([line.get_linestyle() for line in axis.lines if len(line.get_ydata()) > 0], ["-", "-", "--"])
        self.assertEqual([self.unit(axis.get_title("left")) for axis in plot.figure.axes], ["GFLOPS", "%"])
        self.near(rate, [100.0, 240.0])
        self.near(perfect, [100.0, 400.0])
        self.near(predicted, [110.0, 264.0])
        self.near(self.lines(plot, 1)[0][1], [100.0, 60.0])

    def test_a_model_has_its_seconds_against_the_measured_ones(self):
        row = {"side": "a", "program": "heat", "measured": 2.0, "predicted": 3.0}
        (plot,) = memories.model(ANSWER | {"model": [row]})
        self.assertEqual(self.lines(plot)[0], ([2.0], [3.0]))
        axis = plot.figure.axes[0]
        self.assertEqual((axis.get_xlabel(), axis.get_ylabel()), ("measured (s), log scale", "predicted (s), log scale"))

    def test_curves_and_dots_of_probes_are_their_figures_and_half_widths(self):
        row = {"memory": "pinned", "by": "copy engine", "direction": "HtoD", "half_width": 0.1, "column": "gbs"}
        of = [row | {"bytes": 4096.0 * n, "gbs": 10.0 * n, "value": 10.0 * n} for n in (1, 2)]
        answer = ANSWER | {"probes": [{"side": "a", "probe": "link", "rows": of}]}
        (plot,) = probes.drawn(answer, "link")
        self.assertEqual(self.lines(plot)[0], ([4096.0, 8192.0], [10.0, 20.0]))
        self.near(sorted(set(plot.figure.axes[0].collections[0].get_paths()[0].vertices[:, 1])), [9, 11, 18, 22])
        row = {"scope": "warp", "type": "int32", "method": "shuffle", "half_width": 0.1}
        rows = [row | {"column": column, "value": value} for column, value in (("per_clock", 7.0), ("cycles", 0.25))]
        answer = ANSWER | {"probes": [{"side": "a", "probe": "warp", "rows": rows}]}
        (plot,) = probes.drawn(answer, "warp")
        spread, value = (x for x, _ in self.lines(plot))  # of its column alone
        self.near(spread, [0.225, 0.275])
        self.near(value, [0.25])

    def test_the_unit_of_an_axis_is_that_of_its_column(self):
        for name, plot in style.PLOTS.items():
            for column, label in ((plot.get("x"), "xlabel"), (plot.get("y"), "ylabel"), (plot.get("column"), "xlabel")):
                if column and "{unit}" not in plot.get(label, "{unit}"):
                    self.assertEqual(self.unit(plot[label]), UNITS[column], f"{name}: {plot[label]} is of {column}")

    def test_a_plot_draws_the_column_that_its_labels_name(self):
        """Each column of the row has another value."""
        columns = {name: 3.0 + n for n, name in enumerate(UNITS)}
        for name, plot in style.PLOTS.items():
            if "y" not in plot or "of" in plot:
                continue
            where = next(iter(plot["line"].values())) if isinstance(plot["line"], dict) else {}
            row = columns | {"side": 7.0, "ilp": 1, "column": plot["y"], "value": 1.0, "access": "offset"} | where
            row |= {key: values[0] for key, values in plot["only"].items()}
            of = [row, row | {plot["x"]: row[plot["x"]] + 1}]
            (drawn,) = probes.drawn(ANSWER | {"probes": [{"side": "a", "probe": name, "rows": of}]}, name)
            x, y = next((x, y) for x, y in self.lines(drawn) if len(x) == 2)
            self.assertEqual((x[0], y[0]), (columns[plot["x"]], columns[plot["y"]]), name)
            self.assertEqual(self.unit(drawn.figure.axes[0].get_ylabel()), UNITS[plot["y"]], name)

    def test_a_repeat_is_the_median_of_its_experiments(self):
        row = {"memory": "managed", "pattern": 1.0, "source": "host", "destination": "host", "executor": "host",
               "bytes": 1e9, "column": "gbs", "gbs": 1.0, "series": [[1.0, 10.0], [2.0, 20.0], [9.0, 90.0]]}
        (plot,) = probes.drawn(ANSWER | {"probes": [{"side": "a", "probe": "patterns", "rows": [row]}]}, "patterns")
        self.assertEqual(self.lines(plot)[0], ([1, 2], [2.0, 20.0]))

    def test_numbers_are_written_as_they_are(self):
        self.assertEqual(style.number(12.34), "12.3")
        self.assertEqual(style.size_text(1 << 20), "1 MiB")


if __name__ == "__main__":
    unittest.main()
