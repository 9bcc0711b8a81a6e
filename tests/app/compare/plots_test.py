# What every plot has: a title, a caption, a legend, names that are safe; and the gallery.
import os
import re
import tempfile
import unittest
import xml.etree.ElementTree

from drawing import DOCS, texts, whole_context  # first: it says where the scripts are
import draw
import gallery
import results
import style


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
