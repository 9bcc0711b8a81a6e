# What the plots of messages between ranks, and of copies beside kernels, draw.
import types
import unittest

from drawing import texts, whole_context  # first: it says where the scripts are
import exchange
import overlap
import style
import synthetic_link

NETWORK = {"network": {"gbs": 25, "measured": False}}


def side(label, *probes, theory=None):
    def of_name(name):
        return [probe for probe in probes if probe["name"] == name]

    return types.SimpleNamespace(label=label, theory=theory or {}, probes=of_name)


def neighbours(*sides):
    return list(exchange.plots(types.SimpleNamespace(sides=sides)))[0]


def names(plot):
    return [text.get_text() for text in plot.figure.legends[0].get_texts()]


class Exchange(unittest.TestCase):
    def test_each_pattern_has_a_plot(self):
        plots = list(exchange.plots(whole_context()))
        self.assertEqual([p.name for p in plots], ["exchange-neighbours", "exchange-all-to-all"])
        without = exchange.plots(types.SimpleNamespace(sides=[side("one")]))
        self.assertEqual(list(without), [None, None])

    def test_the_legend_has_latency_and_rate_of_each_path(self):
        of_path = synthetic_link.exchange(1.0, paths=("nccl", "staged"))
        self.assertEqual(
            names(neighbours(side("one", of_path))),
            ["one, 2 ranks, nccl: 20.0 µs, 298 GB/s", "one, 2 ranks, staged: 20.0 µs, 30.0 GB/s"],
        )

    def test_a_path_has_a_colour_and_a_machine_a_line_and_a_marker(self):
        probe = synthetic_link.exchange(1.0, paths=("nccl", "staged"))
        lines = neighbours(side("one", probe), side("other", probe)).figure.axes[0].lines
        colours, styles, markers = (
            [getattr(line, f"get_{look}")() for line in lines]
            for look in ("color", "linestyle", "marker")
        )
        self.assertEqual(colours[:2], colours[2:])
        self.assertNotEqual(colours[0], colours[1])
        self.assertEqual((styles[0], markers[0]), (styles[1], markers[1]))
        self.assertNotIn(styles[0], styles[2:])
        self.assertNotIn(markers[0], markers[2:])

    def test_of_one_path_machines_differ_in_colour_too(self):
        probe = synthetic_link.exchange(1.0, paths=("staged",))
        one, other = neighbours(side("one", probe), side("other", probe)).figure.axes[0].lines
        self.assertNotEqual(one.get_color(), other.get_color())

    def test_numbers_of_ranks_are_lines_of_their_own_and_a_later_run_replaces_an_earlier(self):
        runs = [
            synthetic_link.exchange(scale, ranks, paths=("nccl",))
            for scale, ranks in ((1.0, 2), (1.0, 4), (0.5, 2))
        ]
        of_ranks = [name.rsplit(", ", 1)[1] for name in names(neighbours(side("one", *runs)))]
        self.assertEqual(of_ranks, ["150 GB/s", "298 GB/s"])

    def test_the_network_is_drawn_where_each_rank_has_a_node_of_its_own(self):
        for nodes, drawn in ((1, False), (2, True)):
            probe = synthetic_link.exchange(0.05, 2, nodes)
            within = texts(neighbours(side("one", probe, theory=NETWORK)).figure)
            self.assertEqual("one, network: theory 25" in within, drawn)
            self.assertEqual(any("2 ranks, 2 nodes" in text for text in within), drawn)

    def test_both_ends_of_the_scales_have_a_tick_and_no_point_is_cut_off(self):
        probe = synthetic_link.exchange(1.0)
        for axis in neighbours(side("one", probe)).figure.axes:
            low, high = axis.get_ylim()
            ticks = [tick for tick in axis.get_yticks() if low <= tick <= high]
            points = [y for line in axis.lines for y in line.get_ydata()]
            self.assertLessEqual(min(ticks), min(points))
            self.assertGreaterEqual(max(ticks), max(points))


class Seconds(unittest.TestCase):
    def test_are_written_in_the_unit_that_they_fill(self):
        expected = {4.59e-7: "459 ns", 1.75e-5: "17.5 µs", 0.9999e-3: "1.00 ms", 2.0: "2.00 s"}
        self.assertEqual({s: style.seconds_text(s) for s in expected}, expected)


class Overlap(unittest.TestCase):
    def test_each_machine_has_an_axis_with_what_is_hidden_beside_each_row(self):
        probes = [synthetic_link.overlap(1.0, 0.9), synthetic_link.overlap(8.0, 0.25)]
        sides = [side("one", probes[0]), side("other", probes[1])]
        (plot,) = overlap.plots(types.SimpleNamespace(sides=sides))
        self.assertEqual([axis.get_title("left") for axis in plot.figure.axes], ["one", "other"])
        for axis, hidden in zip(plot.figure.axes, ("90.0 %", "25.0 %")):
            self.assertEqual([text.get_text() for text in axis.texts].count(hidden), 4)
        self.assertEqual(names(plot), list(overlap.LABELS))

    def test_the_black_sign_stands_between_the_longer_bar_and_the_sum(self):
        (plot,) = overlap.plots(types.SimpleNamespace(sides=[side("one", synthetic_link.overlap(1))]))
        (axis,) = plot.figure.axes
        bars = sorted({round(bar.get_width(), 6) for bar in axis.patches})
        signs = sorted({round(line.get_xdata()[0], 6) for line in axis.lines})
        self.assertEqual((bars, signs), ([4.0, 5.0], [5.4, 9.0]))

    def test_without_figures_nothing_is_drawn(self):
        for probes in ([], [{"name": "overlap", "derived": {}}]):
            self.assertEqual(list(overlap.plots(types.SimpleNamespace(sides=[side("one", *probes)]))), [])


if __name__ == "__main__":
    unittest.main()
