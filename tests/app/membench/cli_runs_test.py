# Pins what good runs of membench give: the list, text, JSON and CSV on stdout, files that h5py reads.
import csv
import io
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

# Each probe has a page in docs/probes/, and a row in its index in the order of `membench list`.
PAGES = os.path.join(os.path.dirname(__file__), "../../../docs/probes")
with open(os.path.join(PAGES, "README.md"), encoding="utf-8") as document:
    PROBES = re.findall(r"(?m)^\| \[(\w+)\]\(\1\.md\) ", document.read())
SMALL = ["--size", "1MiB", "--repeats", "3"]
MEASUREMENT = ["name", "parameters", "unit", "samples", "warmup", "experiments", "min", "median", "max", "mean",
               "ci95", "relative_half_width", "stopped"]


class Information(CommandLine):
    def test_help_names_every_option_and_writes_nothing(self):
        text = self.good("--help")
        for option in ("--help --version --output --force --label --format --quiet --input --paper --size --repeats "
                       "--experiments --gpu").split():
            self.assertRegex(text, re.escape(option) + r"\b")
        self.assertIn("PROBE|all|list", text)
        self.assertEqual(self.content(), [])

    def test_list_has_a_line_for_each_probe(self):
        lines = [line for line in self.good("list").splitlines() if not line.startswith(" ")]
        self.assertEqual([line.split()[0] for line in lines], PROBES)
        for line in lines:
            self.assertIn("; counted: ", line)

    def test_list_says_where_sources_and_probes_are_explained(self):
        self.assertIn("docs/bibliography.md", self.good("list").splitlines()[-1])

    def test_each_source_of_a_probe_stands_in_the_bibliography(self):
        with open(os.path.join(PAGES, "../bibliography.md"), encoding="utf-8") as document:
            listed = document.read()
        for row in json.loads(self.good("list", "--format", "json"))["probes"]:
            key = re.match(r"\[[\w-]+\]", row["source"])
            self.assertIn(f"| {key[0]} |" if key else row["source"], listed, row["name"])

    def test_each_probe_has_its_page(self):
        for probe in PROBES:
            with open(os.path.join(PAGES, probe + ".md"), encoding="utf-8") as page:
                self.assertTrue(page.readline().startswith(f"# {probe}:"), probe)

    def test_list_says_why_a_probe_cannot_run_here(self):
        probes = json.loads(self.good("list", "--format", "json"))["probes"]
        self.assertEqual([p["name"] for p in probes], PROBES)
        for probe in probes:
            for key in ["summary", "source", "counted"]:
                self.assertTrue(probe[key])
        if not FOR_GPU:
            here = [p["name"] for p in probes if p["refused"] is None]
            self.assertEqual(here, ["link", "exchange", "pages"])


class Output(CommandLine):
    def probes_of(self, *arguments):
        record = json.loads(self.good(*arguments, "--format", "json"))  # anything beside one object is an error
        self.assertEqual((record["schema"], record["schema_version"], record["program"]),
                         ("memstencil-results", 2, "membench"))
        self.assertIs(record["verified"], True)
        self.assertIn("cpu", record["machine"])
        return record["probes"]

    def test_json_has_the_documented_measurements(self):
        (probe,) = self.probes_of("pages", *SMALL)
        self.assertEqual(probe["name"], "pages")
        self.assertIs(probe["verified"], True)
        self.assertNotIn("skipped", probe)
        self.assertGreater(probe["seconds"], 0)
        self.assertNotIn("energy", probe)
        for measurement in probe["measurements"]:
            self.assertEqual(list(measurement), MEASUREMENT)
            self.assertEqual(len(measurement["samples"]), 3)
            self.assertEqual(min(measurement["samples"]), measurement["min"])
            self.assertEqual(max(measurement["samples"]), measurement["max"])
            low, high = measurement["ci95"]
            self.assertLessEqual(low, measurement["mean"])
            self.assertLessEqual(measurement["mean"], high)

    def test_pages_measures_no_huge_pages_in_an_array_that_none_fits_into(self):
        (probe,) = self.probes_of("pages", "--size", "64KiB", "--repeats", "1")
        self.assertEqual({m["parameters"]["pages"] for m in probe["measurements"]}, {"default"})
        self.assertTrue(any(note.startswith("huge pages: ") for note in probe["notes"]), probe["notes"])

    def test_pages_has_each_act_with_its_cost(self):
        (probe,) = self.probes_of("pages", *SMALL)
        acts = {m["parameters"]["act"] for m in probe["measurements"]
                if m["parameters"]["memspace"] == "system" and m["parameters"]["pages"] == "default"}
        self.assertLessEqual({"allocate", "first touch by host", "free"}, acts)
        for m in probe["measurements"]:
            self.assertEqual(set(m["parameters"]), {"memspace", "pages", "act", "bytes"})
            self.assertEqual(m["unit"], "ns/byte")
            self.assertGreater(m["min"], 0)
        self.assertGreater(probe["derived"]["page_bytes"], 0)

    def test_link_copies_in_host_memory_by_both_loops(self):
        (probe,) = self.probes_of("link", *SMALL)
        for m in probe["measurements"]:
            self.assertEqual(set(m["parameters"]), {"direction", "memory", "by", "bytes"})
            self.assertEqual((m["unit"], m["parameters"]["bytes"]), ("GB/s", 1 << 20))
        pageable = [m["parameters"]["by"] for m in probe["measurements"]
                    if m["parameters"]["direction"] == "host copy" and m["parameters"]["memory"] == "pageable"]
        self.assertEqual(pageable, ["loop", "vectorised"])

    def test_experiments_join_in_one_series(self):
        (probe,) = self.probes_of("link", *SMALL, "--experiments", "2")
        for measurement in probe["measurements"]:
            self.assertEqual((measurement["experiments"], len(measurement["samples"])), (2, 6))

    def test_csv_has_a_line_for_each_measurement(self):
        rows = list(csv.DictReader(io.StringIO(self.good("pages", *SMALL, "--format", "csv"))))
        self.assertGreaterEqual(len(rows), 3)
        for row in rows:
            self.assertEqual((row["probe"], row["samples"], row["unit"]), ("pages", "3", "ns/byte"))
            self.assertGreaterEqual(float(row["max"]), float(row["min"]))
            self.assertIn("bytes=1048576", row["parameters"])

    def test_text_has_a_row_for_each_measurement(self):
        text = self.good("link", *SMALL)
        self.assertRegex(text, r"(?m)^  host copy pageable, loop, 1\.049 MB +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+% +3  GB/s$")
        self.assertIn("verified", text)

    def test_more_threads_than_cpus_are_warned_of_in_one_line(self):
        self.assertRegex(self.warned_of_shared_cpus("pages", *SMALL),
                         r"^membench: 2 threads of 1 rank share 1 CPU of \S+: .*--map-by node:PE=2\), .*\n$")

    def test_quiet_leaves_stderr_empty(self):
        done = self.run_program("pages", *SMALL, "--quiet", OMP_NUM_THREADS="1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_input_file_gives_options(self):
        path = self.write("case.toml", 'size = "1MiB"\nrepeats = 4\n')
        (probe,) = self.probes_of("pages", "--input", path)
        self.assertEqual(len(probe["measurements"][0]["samples"]), 4)


@unittest.skipIf(h5py is None, "no h5py in this Python (Debian: python3-h5py)")
class ResultsFile(CommandLine):
    def test_holds_raw_samples_by_probe(self):
        self.good("link", *SMALL, "--output", self.folder)
        (name,) = self.content()
        self.assertRegex(name, r"^membench-link-\d{8}T\d{6}Z-1\.h5$")
        with h5py.File(self.path(name), "r") as file:
            self.assertEqual(file.attrs["probe"], b"link")
            probe = file["probes/0001"]
            self.assertEqual(probe.attrs["name"], b"link")
            measurement = probe["measurements/0001"]
            self.assertEqual(measurement["samples"].shape, (3,))
            self.assertEqual(measurement["parameters"].attrs["direction"], b"host copy")
            self.assertEqual(measurement["ci95"].shape, (2,))


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
        ran = [p["name"] for p in self.probes if "skipped" not in p]
        self.assertEqual(ran, [p for p in PROBES if p != "exchange"] if FOR_GPU else ["link", "pages"])

    def test_measurements_are_told_apart_by_their_parameters(self):
        for probe in self.probes:
            keys = [json.dumps([m["name"], m["parameters"]]) for m in probe.get("measurements", [])]
            self.assertEqual(len(set(keys)), len(keys), probe["name"])

    def test_tables_have_columns_of_one_length(self):
        for probe in self.probes:
            for name, columns in probe.get("tables", {}).items():
                self.assertEqual(len({len(column) for column in columns.values()}), 1, f"{probe['name']}: {name}")

    @unittest.skipIf(h5py is None, "no h5py in this Python (Debian: python3-h5py)")
    def test_the_file_holds_what_was_printed(self):
        with h5py.File(self.file, "r") as file:
            stored = file["probes"]
            self.assertEqual([probe.attrs["name"].decode() for probe in stored.values()], PROBES)
            for probe, group in zip(self.probes, stored.values(), strict=True):
                self.assertEqual(group.attrs.get("skipped", b"").decode(), probe.get("skipped", ""))
                for m, stored_m in zip(probe.get("measurements", []), group.get("measurements", {}).values(),
                                       strict=True):
                    self.assertEqual(list(stored_m["samples"][:]), m["samples"])


class Exchange(CommandLine):
    """Messages between ranks; the data are verified, or the probe fails."""

    def test_gives_rates_by_pattern_and_path_on_any_number_of_ranks(self):
        for ranks in [2, 3, 4]:
            text = self.good("exchange", "--size", "20000", "--repeats", "2", "--format", "json", ranks=ranks)
            probe = json.loads(text)["probes"][0]
            self.assertIs(probe["verified"], True)
            self.assertIn("staged", probe["derived"])
            for path, patterns in probe["derived"].items():
                self.assertEqual(list(patterns), ["neighbours", "all-to-all"])
                for pattern, rates in patterns.items():
                    table = probe["tables"][f"{pattern}, {path}"]
                    self.assertEqual(table["bytes"], [1024, 4096, 16384, 20000])
                    self.assertEqual(rates, {"latency_seconds": table["seconds"][0], "gbs": table["gbs"][-1]})
            for measured in probe["measurements"]:
                self.assertEqual(measured["parameters"]["ranks"], ranks)
                self.assertEqual(measured["parameters"]["nodes"], 1)
            if not FOR_GPU:
                self.assertEqual(len([n for n in probe["notes"] if n.startswith("left out: exchange ")]), 3)

    def test_experiments_join_in_one_series_and_tables_are_of_all_of_them(self):
        options = ["--size", "4096", "--repeats", "3", "--experiments", "2", "--format", "json"]
        probe = json.loads(self.good("exchange", *options, ranks=2))["probes"][0]
        medians = {}
        for m in probe["measurements"]:
            self.assertEqual((m["experiments"], len(m["samples"])), (2, 6))
            medians.setdefault("{pattern}, {path}".format(**m["parameters"]), []).append(m["median"])
        self.assertEqual({name: table["gbs"] for name, table in probe["tables"].items()}, medians)
        for path, patterns in probe["derived"].items():
            for pattern, rates in patterns.items():
                self.assertEqual(rates["gbs"], medians[f"{pattern}, {path}"][-1])


if __name__ == "__main__":
    unittest.main()
