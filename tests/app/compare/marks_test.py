# Where published figures stand in the plots.
import unittest

from drawing import texts, whole_context  # first: it says where the scripts are
import levels
import link
import style


def mark(low, high, ours, side="one", differs="", **identity):
    """Of a published figure, as compare plans it."""
    text = f"{low} to {high}"
    return {
        "side": side,
        "identity": identity,
        "low": low,
        "high": high,
        "ours": ours,
        "text": text,
        "label": "elsewhere",
        "differs": differs,
    }


class Marks(unittest.TestCase):
    def test_a_published_level_far_above_does_not_flatten_the_points(self):
        of = {"direction": "HtoD", "memory": "pinned", "by": "copy engine", "bytes": 4 * 2**30}
        far = mark(4100, 4100, 55, probe="link", **of)
        plots = {plot.name: plot for plot in filter(None, link.plots(whole_context(marks=[far])))}
        axis = plots["link-htod"].figure.axes[0]
        self.assertLess(axis.get_ylim()[1], 200)
        self.assertTrue(
            any("4100 (above this scale)" in text for text in texts(plots["link-htod"].figure))
        )

    def test_a_value_stands_on_the_side_where_our_line_does_not_run(self):
        for ours, place in ((300, "bottom"), (3000, "top"), (3300, "top")):
            _, axis = style.pyplot.subplots()
            levels.small_band(axis, mark(2900, 3100, ours))
            (name,) = axis.texts
            self.assertEqual((name.get_text(), name.get_va()), ("2900 to 3100", place))

    def test_across_a_phase_nothing_is_drawn_beyond_it(self):
        _, axis = style.pyplot.subplots()
        other = mark(240, None, 300, differs="other memory: b in the source")
        levels.small_band(axis, other, (5, 9))
        (line,) = axis.lines
        self.assertEqual((list(line.get_xdata()), list(line.get_ydata())), ([5, 9], [240, 240]))
        self.assertIn("(other memory: b in the source)", line.get_label().replace("\n", " "))

    def test_a_figure_of_the_same_case_needs_no_mark_of_another_memory(self):
        marks = [
            mark(1, 1, 1, side=side, differs=differs, memory="a")
            for side, differs in (("one", "other memory: b in the source"), ("other", ""))
        ]
        context = whole_context(marks=marks)
        (both,) = context.beside([(side, {"memory": "a"}) for side in context.sides])
        self.assertEqual(both["differs"], "")
        (of_one,) = context.beside([(context.sides[0], {"memory": "a"})])
        self.assertNotEqual(of_one["differs"], "")
        self.assertEqual(context.beside([(context.sides[0], {"memory": "b"})]), [])


if __name__ == "__main__":
    unittest.main()
