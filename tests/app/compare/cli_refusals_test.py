# Pins what memcompare refuses: one line that names it, the documented code, and nothing written.
import shutil
import sys
import unittest

try:
    import h5py  # noqa: F401  (synthetic needs it)
except ImportError:
    print("skipped: this Python has no h5py (Debian: python3-h5py)")
    sys.exit(77)

from cli_support import CommandLine
import synthetic

OTHER, USAGE, VERIFICATION = 1, 2, 4

DESCRIPTION = "name = 'm'\ntitle = 'M'\nmatch = {gpu = 'No such GPU'}\n[figures]\n"


class WithoutMpi(CommandLine):
    def test_results_are_compared(self):
        path = synthetic.write_file(self.path("a.h5"), synthetic.himeno(synthetic.ONE, 2000))
        for arguments in (["--version"], [path]):
            done = self.run_program(*arguments, OMPI_MCA_pml="nosuch")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(self.good(*arguments, ranks=2), done.stdout)


class Compare(CommandLine):
    def results(self, name="a.h5", **changes):
        return synthetic.write_file(self.path(name), synthetic.himeno(synthetic.ONE, 2000, iterations=3, **changes))


# What is done to a good file, each by a function of the HDF5 file.
def without(name):
    return lambda file: (file.attrs if name in file.attrs else file).__delitem__(name)


def attribute(name, value, group="/"):
    return lambda file: file[group].attrs.__setitem__(name, synthetic.text(value) if isinstance(value, str) else value)


def dataset(name, values):
    return lambda file: (file.__delitem__(name), file.__setitem__(name, values))


MISSING = {"mflops": "mflops", "extents": "extents", "ranks": "ranks", "sweeps/seconds": "sweeps.seconds",
           "memspace": "memspace.effective", "limit": "limit.kind", "sweeps": "sweeps.seconds"}  # fmt: skip
SHAPES = [("ranks", [0, 0, 0]), ("ranks", [1, 1]), ("extents", [1, 2]), ("extents", [2, 9, 9])]
SPOILT = [
    *((f"without {name}", OTHER, f"'{told}' is missing", without(name)) for name, told in MISSING.items()),
    *((f"{name} {values} that nothing can be divided by", OTHER, f"'{name}", dataset(name, values)) for name, values in SHAPES),
    *((f"{name} {value}", OTHER, f"'{group}{name}' is {value}", attribute(name, value, "/" + group.replace(".", "/")))
      for group, name, value in (("", "iterations", 0), ("", "iterations", 2**62), ("", "total_seconds", -1.0),
                                 ("phases.", "free", -1.0), ("limit.", "fraction", 0.0),
                                 ("machine.gpu.", "multiprocessors", 0))),
    ("a sweep of negative seconds", OTHER, "'sweeps.seconds' is -1", dataset("sweeps/seconds", [1.0, -1.0, 1.0])),
    ("a sweep that is none", OTHER, "a.h5", attribute("sweep", "temporal:x")),
    ("a program that is not known", OTHER, "'stream'; known are membench, himeno", attribute("program", "stream")),
    ("failed verification", VERIFICATION, "failed verification", attribute("verified", False)),
    *((f"a time of {none}", VERIFICATION, "sweeps.seconds", dataset("sweeps/seconds", [1.0, float(none), 1.0]))
      for none in ("nan", "inf"))]  # fmt: skip


class WrongFile(Compare):
    def test_that_is_none_or_not_there(self):
        self.refused(USAGE, "no result is named")
        self.refused(OTHER, ["nowhere.h5", "No such file"], "nowhere.h5")
        self.refused(OTHER, [self.folder, "no *.h5 lies in it"], self.folder)

    def test_that_is_damaged_among_those_of_a_folder_is_named(self):
        self.results()
        self.write("b.h5", "half of it")
        self.refused(OTHER, ["b.h5", "no memstencil result"], self.folder)

    def test_whose_content_is_wrong(self):
        membench = synthetic.write_file(self.path("m.h5"), synthetic.membench(synthetic.ONE))
        for what, code, mentions, spoil in SPOILT:
            with self.subTest(what):
                path = self.results()
                with synthetic.edited(path) as file:
                    spoil(file)
                self.refused(code, ["a.h5: ", mentions], f"a={path}", f"a={membench}")

    def test_that_is_the_second_one_is_named(self):
        good = self.results()
        shutil.copy(good, self.path("b.h5"))
        with synthetic.edited(self.path("b.h5")) as file:
            without("sweep")(file)
        self.refused(OTHER, ["b.h5: ", "'sweep' is missing"], good, self.path("b.h5"))


class WrongCommandLine(Compare):
    def test_what_does_not_go_with_results(self):
        path, description = self.results(), self.write("m.toml", DESCRIPTION)
        other = synthetic.write_file(self.path("b.h5"), synthetic.himeno(synthetic.OTHER, 2000, size="L"))
        for n in range(9):
            synthetic.write_file(self.path(f"{n}.h5"), synthetic.himeno(synthetic.ONE, 1000 + n))
        self.each_refused(
            USAGE,
            ("a file named twice", "is named twice", path, path),
            ("a folder named twice", "is named twice", self.folder, self.folder),
            ("the same with a slash", "is named twice", self.folder, self.folder + "/"),
            ("a check of sides that share no case", "no case in common", path, other, "--fail-above", "5"),
            ("a base", "--base", path, "--base", "x"),
            ("groups by machine", "--by", path, "--by", "machine"),
            ("more than eight sides", ["9 sides", "NAME=FILE"], *(f"{self.folder}/{n}.h5" for n in range(9))),
            ("another machine's description", ["No such GPU", "NVIDIA H100 PCIe"], path, "--machine", description),
            ("a format that is none", ["'html'", "text, markdown, json, csv"], path, "--format", "html"),
            ("a result of its own", "--output", path, "--output", "x.h5"),
            ("an unknown option", ["--plot", "did you mean --plots"], path, "--plot", "x"),
            *((f"{option} beside results", "of --predict", path, option, *value) for option, *value in (
                ("--size", "M"), ("--first-touch", "host"), ("--prefetch",), ("--sweep", "single"), ("--iterations", "3000"),
                ("--nodes", "2"), ("--assume", description))))  # fmt: skip

    def test_a_description_or_reference_that_is_none(self):
        path = self.write("m.toml", DESCRIPTION + "warp_speed = {}\n")
        self.refused(USAGE, ["m.toml:5", "warp_speed", "device_memory"], self.results(), "--machine", path)
        self.refused(USAGE, ["m.toml:3", "match", "figures"], self.results(), "--reference", path)

    def test_what_does_not_go_with_predictions(self):
        description = ["--machine", self.write("m.toml", DESCRIPTION)]
        wrong = ["--machine", self.write("wrong.toml", "name = 1\nx = 2\n")]
        html = ["--html", self.write("r.html", "precious")]
        self.each_refused(
            USAGE,
            ("no machine", "--machine", "--predict", "himeno"),
            ("results", "descriptions alone", self.results(), "--predict", "himeno", *description),
            ("another program", ["'stream'", "himeno"], "--predict", "stream", *description),
            ("a size of transpose that is none", ["8x", "ROWSxCOLUMNS"], "--predict", "transpose", *description,
             "--size", "8x"))  # fmt: skip
        for program in ("heat", "transpose"):
            self.refused(USAGE, f"{program} has one kind", "--predict", program, *description, "--sweep", "single")
        for program in ("himeno", "transpose"):
            predict = ["--predict", program, *description]
            self.refused(USAGE, "--fail-above and --known are of results", *predict, "--fail-above", "5")
            self.refused(USAGE, ["m.toml:3", "match"], *predict, "--reference", description[1])
            self.refused(USAGE, "wrong.toml", "--predict", program, *wrong)
            self.refused(OTHER, "r.html", *predict, *html)


class WrongOutput(Compare):
    def test_a_report_that_exists(self):
        self.refused(OTHER, "it exists; --force replaces it", self.results(), "--html", self.write("r.html", "precious"))

    def test_a_report_onto_what_it_is_made_from(self):
        path, machine = self.results(), self.write("m.toml", DESCRIPTION)
        with open(path, "rb") as file:
            before = file.read()
        self.refused(USAGE, ["a.h5", "this run reads it"], path, "--html", path, "--force")
        self.refused(USAGE, ["a.h5", "this run reads it"], self.folder, "--html", path, "--force")
        predict = ["--predict", "himeno", "--machine", machine]
        self.refused(USAGE, ["m.toml", "this run reads it"], *predict, "--html", machine, "--force")
        with open(path, "rb") as file:
            self.assertEqual(file.read(), before)

    def test_a_folder_that_is_not_empty_or_none(self):
        path = self.results()
        self.refused(OTHER, ["not empty", "--force"], path, "--plots", self.folder)
        self.refused(OTHER, "is no folder", path, "--plots", path)


if __name__ == "__main__":
    unittest.main()
