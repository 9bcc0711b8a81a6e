# Pins what good runs of membench give: the list, text, JSON and CSV on stdout, files that h5py reads.
import json
import os
import re
import subprocess
import tempfile
import unittest

from cli_support import FOR_GPU, PROGRAM, CommandLine, environment

try:
    import h5py
except ImportError:  # the first Python on PATH may not have it
    h5py = None

# Each probe has a heading in a page of docs/probes/, and a row in its index in the order of `membench list`.
PAGES = os.path.join(os.path.dirname(__file__), "../../../docs/probes")
with open(os.path.join(PAGES, "README.md"), encoding="utf-8") as document:
    PLACES = re.findall(r"(?m)^\| \[(\w+)\]\((\w+\.md)#\1\) ", document.read())
PROBES = [name for name, _ in PLACES]
SMALL = ["--size", "1MiB", "--repeat", "3"]


class Information(CommandLine):
    def test_list_has_a_line_for_each_probe(self):
        text = self.good("list", "--verbose")
        self.assertEqual(re.findall(r"(?m)^\w+", text), PROBES)
        self.assertEqual(len(re.findall(r";\s+counted:\s", text)), len(PROBES))
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        self.assertIn("docs/bibliography.md", "".join(text.splitlines()[-2:]))

    @unittest.skipIf(FOR_GPU, "in a host-only build")
    def test_a_host_hears_nothing_of_kernels_and_links(self):
        probes = self.record("list")["probes"]
        self.assertEqual([probe["name"] for probe in probes if probe["refused"] is None], ["latency", "link", "pages"])
        self.assertEqual(re.findall(r"(?m)^\w+", self.good("list")), ["latency", "link", "pages"])
        (link,) = [probe for probe in probes if probe["name"] == "link"]
        for word in ["kernel", "HtoD", "pinned", "engine"]:
            self.assertNotIn(word, link["axes"])
        case = self.write("case.toml", "axis = 'bytes=8KiB'\n")  # SMALL wins
        (probe,) = self.record("link", *SMALL, "--input", case)["probes"]
        self.assertEqual({row["bytes"] for row in probe["rows"]}, {1 << 20})
        self.assertIn("vectorised: stores past the caches", probe["notes"])
        self.assertFalse([note for note in probe["notes"] if re.match("HtoD|kernel|loop|left out: reads", note)])

    def test_the_list_has_what_each_probe_measures_and_its_source_and_heading_stand_in_the_documents(self):
        probes = self.record("list")["probes"]
        self.assertEqual([probe["name"] for probe in probes], PROBES)
        axes = {probe["name"]: probe["axes"] for probe in probes}
        self.assertIn("fp32 and fp64 fma", axes["issue"])  # all names of a long axis
        self.assertRegex(axes["link"], r"by=vectorised,.*\(loop\)")
        with open(os.path.join(PAGES, "../bibliography.md"), encoding="utf-8") as document:
            listed = document.read()
        for probe, (name, page) in zip(probes, PLACES):
            self.assertTrue(probe["summary"] and probe["counted"] and probe["axes"], name)
            key = re.match(r"\[[\w-]+\]", probe["source"])
            self.assertIn(f"**{key[0]}**" if key else probe["source"], listed, name)
            with open(os.path.join(PAGES, page), encoding="utf-8") as text:
                self.assertIn(f"\n## {name}\n", text.read())


class Output(CommandLine):
    def probes_of(self, *arguments):
        return self.record(*arguments)["probes"]

    def test_json_has_a_row_for_each_point_with_its_samples(self):
        (probe,) = self.probes_of("pages", *SMALL, "--experiments", "2")
        self.assertEqual(probe["name"], "pages")
        self.assertIs(probe["verified"], True)
        self.assertNotIn("skipped", probe)
        self.assertGreater(probe["seconds"], 0)
        measured = [row for row in probe["rows"] if "samples" in row]
        self.assertTrue(measured)
        for row in measured:
            self.assertLessEqual({*probe["axes"], "make_seconds", "allocate_seconds", "free_seconds"}, set(row))
            self.assertEqual((row["experiments"], len(row["samples"]["make_seconds"])), (2, 6))
            self.assertLessEqual(min(row["samples"]["make_seconds"]), row["make_seconds"])

    def test_repeats_is_the_name_of_before_and_that_of_the_record(self):
        for option in ["--repeat", "--repeats"]:
            record = self.record("pages", "--size", "64KiB", option, "2")
            self.assertEqual(record["options"]["repeats"], 2)
            self.assertNotIn("repeat", record["options"])
        self.assertNotIn("--repeats", self.good("--help"))


class All(CommandLine):
    """One run of all probes, which takes minutes on a GPU, for all that is asked of it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.output = tempfile.TemporaryDirectory(prefix="memstencil-cli-")
        cls.addClassCleanup(cls.output.cleanup)
        cls.file = os.path.join(cls.output.name, "all.h5")
        done = subprocess.run([PROGRAM, "all", *SMALL, "--format", "json", "--output", cls.file], env=environment(),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=400, check=False)
        if done.returncode != 0:
            raise AssertionError(f"exit {done.returncode}: {done.stderr}")
        cls.probes = json.loads(done.stdout)["probes"]

    def test_runs_what_it_can_and_says_why_the_rest_is_skipped(self):
        self.assertEqual([p["name"] for p in self.probes], PROBES)
        for probe in self.probes:
            self.assertEqual(probe["verified"], "skipped" not in probe)
            if "skipped" in probe:
                self.assertTrue(probe["skipped"])

    def test_rows_are_told_apart_by_their_axes(self):
        for probe in self.probes:
            keys = [json.dumps([row.get(axis) for axis in probe["axes"]]) for row in probe.get("rows", [])
                    if "samples" in row]
            self.assertEqual(len(set(keys)), len(keys), probe["name"])

    @unittest.skipIf(h5py is None, "no h5py in this Python (Debian: python3-h5py)")
    def test_the_file_holds_what_was_printed(self):
        with h5py.File(self.file, "r") as file:
            stored = file["probes"]
            self.assertEqual([probe.attrs["name"].decode() for probe in stored.values()], PROBES)
            for probe, group in zip(self.probes, stored.values(), strict=True):
                self.assertEqual(group.attrs.get("skipped", b"").decode(), probe.get("skipped", ""))
                rows = [row for row in probe.get("rows", []) if "samples" in row]
                blocks = [block for block in group.get("rows", {}).values() if "samples" in block]
                self.assertEqual(len(rows), sum(len(block["experiments"]) for block in blocks))


class Exchange(CommandLine):
    """Messages between ranks; the data are verified, or the probe fails."""

    def test_gives_rates_by_pattern_and_path_on_any_number_of_ranks(self):
        for ranks in [2, 3, 4]:
            (probe,) = self.record("exchange", "--axis", "bytes=1024,20000", "--repeat", "2", ranks=ranks)["probes"]
            self.assertIs(probe["verified"], True)
            self.assertIn("staged", {row["path"] for row in probe["rows"]})
            for row in probe["rows"]:
                self.assertEqual((row["ranks"], row["nodes"]), (ranks, 1))
            staged = [(row["pattern"], row["bytes"]) for row in probe["rows"] if row["path"] == "staged"]
            self.assertEqual(staged, [("neighbours", 1024), ("neighbours", 20000), ("all-to-all", 1024), ("all-to-all", 20000)])
            if not FOR_GPU:
                self.assertEqual([n for n in probe["notes"] if n.startswith("left out: ")], [])


if __name__ == "__main__":
    unittest.main()
