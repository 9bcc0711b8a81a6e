# Pins the scale of the plots: what they draw are the answer's own figures, in the unit of their axis.
import os
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
        "steps": 4, "step": "sweep", "series": {"step": [1, 2, 3, 4], "seconds": SECONDS},
        "parts": {"allocate": 1.0, "steps": 3.0}}
RANKED = {"problem": "p", "side": "a", "memory": "device", "case": "c", "to_best": 1.0, "once": 1.0,
          "step_seconds": 0.01, "seconds": 4.0}
LINK = {"direction": "device copy", "by": "kernel"}
ANSWER = {
    "problem": "p", "sides": [{"side": "a", "l2_bytes": None}], "cases": [CASE], "predictions": None,
    "ranking": [RANKED, RANKED | {"memory": "managed", "once": 2.0, "step_seconds": 0.02}],
    "published": [{"side": "a", "case": "c", "unit": "GFLOPS", "low": 700.0, "published": "x", "source": "s"}],
    "probes": [{"side": "a", "probe": "link", "rows": [LINK | {"bytes": 1e9, "value": 3000.0},
                                                       LINK | {"bytes": 1e6, "value": 9000.0}]}]}


class PlotsScale(unittest.TestCase):
    def lines(self, plot, axis=0):
        """[(x, y)] of the lines of an axis."""
        return [(list(line.get_xdata()), list(line.get_ydata())) for line in plot.figure.axes[axis].lines]

    def near(self, values, expected):
        self.assertEqual(len(values), len(expected))
        for value, right in zip(values, expected):
            self.assertAlmostEqual(value / right, 1, 9, f"{values} are not {expected}")

    def test_speeds_their_spread_their_limit_and_published_ones(self):
        (plot,) = memories.PLOTS["speed"](ANSWER | {"ranking": [RANKED]})
        x = [x for x, _ in self.lines(plot)]
        self.near(x[0], [1500.0, 1500.0])
        self.near(x[1], [880.0, 910.0])
        self.near(x[2], [900.0])
        self.near(x[3], [700.0])

    def test_phases_are_shares_of_the_whole(self):
        (plot,) = memories.PLOTS["phases"](ANSWER | {"ranking": [RANKED]})
        self.near([bar.get_width() for bar in plot.figure.axes[0].patches], [25.0, 75.0])

    def test_sweeps_are_in_milliseconds(self):
        (plot,) = memories.PLOTS["sweeps"](ANSWER | {"ranking": [RANKED]})
        self.near(self.lines(plot)[0][1], [500.0, 100.0, 100.0, 100.0])

    def test_a_roofline_is_the_rate_times_the_operations_a_byte(self):
        (plot,) = memories.roofline(ANSWER)
        points, roof = self.lines(plot)
        self.near(points[0], [3 * 900.0 / 600.0])
        self.near(points[1], [900.0])
        self.near(roof[1], [3000.0 * x for x in roof[0]])  # of the largest copy

    def test_the_time_of_steps_is_what_is_paid_once_and_each_time(self):
        (plot,) = memories.total(ANSWER)
        for (n, seconds), (once, step) in zip(self.lines(plot), [(1, 0.01), (2, 0.02)]):
            self.near(seconds, [once + count * step for count in n])

    def test_a_prediction_is_in_seconds(self):
        row = {"memory": "device", "seconds": 12.5, "causes": {"link": 2.5, "device memory": 10.0}}
        machines = {"what": "w", "machines": [{"machine": "m", "memories": [row]}]}
        (plot,) = memories.prediction(ANSWER | {"predictions": machines})
        self.near([x for x, _ in self.lines(plot)][-1], [12.5])
        self.near([bar.get_width() for bar in plot.figure.axes[1].patches], [20.0, 80.0])

    def test_scaling_has_rates_and_per_cent(self):
        points = [{"scaling": "strong", "side": "a", "curve": "himeno XL, single", "unit": "GFLOPS", "ranks": n,
                   "rate": rate, "perfect_rate": 100.0 * n, "efficiency": rate / n / 100, "predicted": 1.1 * rate}
                  for n, rate in ((1, 100.0), (4, 240.0))]
        (plot,) = memories.scaling(ANSWER | {"scaling": points})
        rate, perfect, predicted = (y for _, y in self.lines(plot, 0))
        self.near(rate, [100.0, 240.0])
        self.near(perfect, [100.0, 400.0])
        self.near(predicted, [110.0, 264.0])
        self.near(self.lines(plot, 1)[0][1], [100.0, 60.0])

    def test_a_model_has_its_seconds_against_the_measured_ones(self):
        row = {"side": "a", "program": "heat", "measured": 2.0, "predicted": 3.0}
        (plot,) = memories.model(ANSWER | {"model": [row]})
        self.assertEqual(self.lines(plot)[0], ([2.0], [3.0]))

    def test_curves_and_dots_of_probes_are_their_figures_and_half_widths(self):
        row = {"memory": "pinned", "by": "kernel", "direction": "HtoD", "half_width": 0.1, "column": "gbs"}
        of = [row | {"bytes": 4096.0 * n, "gbs": 10.0 * n, "value": 10.0 * n} for n in (1, 2)]
        answer = ANSWER | {"probes": [{"side": "a", "probe": "link", "rows": of}]}
        (plot,) = probes.drawn(answer, "link")
        self.assertEqual(self.lines(plot)[0], ([4096.0, 8192.0], [10.0, 20.0]))
        self.near(sorted(set(plot.figure.axes[0].collections[0].get_paths()[0].vertices[:, 1])), [9, 11, 18, 22])
        row = {"memory": "managed", "pages": "default", "act": "free", "column": "ns_per_byte", "value": 0.25}
        answer = ANSWER | {"probes": [{"side": "a", "probe": "pages", "rows": [row]}]}
        (plot,) = probes.drawn(answer, "pages")
        self.near([x for x, _ in self.lines(plot)][-1], [0.25])

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
