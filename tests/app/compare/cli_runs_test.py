# What memcompare says of two machines, in each of its formats.
import json
import os
import re
import unittest

import synthetic
from two_machines import INPUTS, THESIS, TwoMachines


class Tables(TwoMachines):
    def test_speeds_stand_beside_each_other_with_ratio_limit_and_theory(self):
        row = self.table(self.compared(), "himeno: speed")["rows"][0]
        self.assertEqual(row["case"], "XL, single x 60, in device, filled by host")
        self.assertAlmostEqual(row["miyabi-g / pegasus"], 2.0)
        self.assertAlmostEqual(row["pegasus of limit"], 2800 / 3000)
        self.assertAlmostEqual(row["miyabi-g of theory"], 5600 / 4000)

    def test_a_link_beside_its_result_is_no_second_run(self):
        folder = synthetic.write_folder(self.path("runs"), [synthetic.himeno(synthetic.ONE, 2000)])
        os.symlink("0001.h5", os.path.join(folder, "latest.h5"))
        self.assertIn("1 run", self.good(folder))

    def test_the_facts_that_differ_are_told(self):
        rows = self.table(self.compared(), "Facts that differ between runs")["rows"]
        self.assertEqual(rows, [{"fact": "page size (bytes)", "pegasus": "4096", "miyabi-g": "65536"}])

    def test_variants_of_a_transpose_stand_beside_each_other_with_their_part_of_the_copy(self):
        rows = self.table(self.compared(), "transpose: bandwidth")["rows"]
        row = next(row for row in rows if row["case"].startswith("padded, 4096 x 4096 float"))
        self.assertAlmostEqual(row["miyabi-g / pegasus"], 2.0)
        self.assertAlmostEqual(row["miyabi-g of limit"], 2800 / 3000)
        self.assertAlmostEqual(row["pegasus of theory"], 2800 / 2000)

    def test_scaling_has_its_efficiency(self):
        rows = self.table(self.compared(), "Scaling over ranks")["rows"]
        strong = [row for row in rows if row["scaling"] == "strong" and row["machine"] == "pegasus"]
        self.assertEqual([row["ranks"] for row in strong], [1, 2, 4])
        self.assertAlmostEqual(strong[2]["efficiency"], 4**-0.1)

    def test_published_figures_stand_beside_ours(self):
        rows = self.table(self.compared(*THESIS), "Beside published figures: Miyabi-G in the Tsukuba thesis")["rows"]
        row = next(row for row in rows if "direction HtoD" in row["published for"] and row["machine"] == "miyabi-g")
        self.assertAlmostEqual(row["ours / published"], row["ours"] / 410)

    def test_folders_are_sides_and_files_may_be_them(self):
        for name, gbs in (("before", 1000), ("after", 2000)):
            synthetic.write_folder(self.path(name), [synthetic.himeno(synthetic.ONE, gbs, iterations=3)])
        for named in (["before", "after/"], ["before/0001.h5", "after/0001.h5", "--by", "folder"]):
            comparison = json.loads(self.good(*named, "--format", "json"))
            self.assertIn("after / before", self.table(comparison, "himeno: speed")["rows"][0])
        alone = json.loads(self.good("before", "after", "--by", "machine", "--format", "json"))
        self.assertIn("NVIDIA H100 PCIe", self.table(alone, "himeno: speed")["rows"][0])

    def test_files_may_be_called_as_the_columns_are(self):
        for name in ("case", "after"):
            synthetic.write_file(self.path(name + ".h5"), synthetic.himeno(synthetic.ONE, 2000, iterations=3))
        comparison = json.loads(self.good(self.path("case.h5"), self.path("after.h5"), "--by", "file", "--format", "json"))
        row = self.table(comparison, "himeno: speed")["rows"][0]
        self.assertEqual(row["case"], "XL, single x 3, in device, filled by host")
        self.assertAlmostEqual(row["case [2]"], row["after"])

    def test_text_and_markdown_say_the_same(self):
        files = self.files()
        numbers = [
            sorted(re.findall(r"\d+\.\d+", self.good(*files, "--full", "--format", form))) for form in ("text", "markdown")
        ]
        self.assertGreater(len(numbers[0]), 100)
        self.assertEqual(*numbers)

    def test_one_folder_alone_has_its_own_tables(self):
        text = self.good(self.files()[0], "--full")
        self.assertIn("himeno: speed", text)
        self.assertNotIn(" / ", text.split("Why")[0])

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "all samples take minutes under a sanitizer")
    def test_the_answer_fits_a_screen_and_a_half(self):
        files = [os.path.join(INPUTS, "reference/samples", name) for name in ("h100", "h200")]
        lines = self.good(*files).splitlines()
        self.assertLessEqual(len(lines), 66)
        self.assertLessEqual(max(map(len, lines)), 100)
        text = " ".join(" ".join(lines).split())
        self.assertIn("h200: equally fast sweeps (within 2 %): managed, prefetch; device; managed; ", text)
        self.assertIn("; their runs differ by initialise, slow sweeps", text)
        self.assertIn("62.4 times as long a sweep: bound by the link at 54.8 GB/s, 0.84 of it reached", text)
        self.assertIn("extrapolated from 10 sweeps", text)
        moved = "15 GB moved by page faults at 7.9 GB/s in the first sweep: 1.91 s; filled by the host: 1.57 s"
        self.assertIn(re.sub(r"\s+", "", moved), re.sub(r"\s+", "", text))
        self.assertIn("--full prints them", text)


if __name__ == "__main__":
    unittest.main()
