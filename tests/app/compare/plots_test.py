# What the plots draw, from plans of machines that do not exist.
import os
import sys
import types
import unittest

try:
    import h5py  # noqa: F401  (the scripts need both)
    import matplotlib  # noqa: F401
except ImportError:
    print("skipped: this Python has no h5py or no matplotlib (Debian: python3-h5py, python3-matplotlib)")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(os.environ["PROGRAM"]), "../share/memstencil/plots"))
import scaling  # noqa: E402  (it stands beside the program)


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
        curves = [curve("XL", "GFLOPS", 2000.0), curve("tuned", "GB/s", 3.0), curve("L", "GFLOPS", 1000.0)]
        (plot,) = scaling.plots(types.SimpleNamespace(scaling=curves))
        drawn = {
            axis.get_ylabel(): [line.get_label() for line in axis.lines if line.get_label().startswith("one")]
            for axis in plot.figure.axes
            if axis.get_ylabel().startswith("rate")
        }
        self.assertEqual(drawn, {"rate (GFLOPS)": ["one: XL", "one: L"], "rate (GB/s)": ["one: tuned"]})


if __name__ == "__main__":
    unittest.main()
