# Pins what memcompare refuses: one line that names it, the documented code, and nothing written.
import os
import shutil
import sys
import unittest

try:
    import h5py
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

    def spoiled(self, spoil):
        """A good file after spoil(its HDF5 file)."""
        path = self.results()
        with synthetic.edited(path) as file:
            spoil(file)
        return path


class WrongFile(Compare):
    def test_no_file_named(self):
        self.refused(USAGE, "no result is named")

    def test_a_file_that_is_not_there(self):
        self.refused(OTHER, ["nowhere.h5", "No such file"], "nowhere.h5")

    def test_a_folder_without_results(self):
        self.refused(OTHER, [self.folder, "no *.h5 lies in it"], self.folder)

    def test_a_damaged_file_among_those_of_a_folder_is_named(self):
        self.results()
        self.write("b.h5", "half of it")
        self.refused(OTHER, ["b.h5", "no memstencil result"], self.folder)

    def test_a_missing_member(self):
        for name, missing in (("mflops", "mflops"), ("extents", "extents"), ("ranks", "ranks"),
                              ("sweeps/seconds", "sweeps.seconds"), ("memspace", "memspace.effective"),
                              ("limit", "limit.kind"), ("sweeps", "sweeps.seconds")):
            with self.subTest(name=name):

                def without(file, name=name):
                    del (file.attrs if name in file.attrs else file)[name]

                self.refused(OTHER, ["a.h5: ", f"'{missing}' is missing"], self.spoiled(without))

    def test_shapes_that_nothing_can_be_divided_by(self):
        membench = synthetic.write_file(self.path("m.h5"), synthetic.membench(synthetic.ONE, 1.0))
        for name, values in (("ranks", [0, 0, 0]), ("ranks", [1, 1]), ("extents", [1, 2]), ("extents", [2, 9, 9])):
            with self.subTest(name=name, values=values):

                def damaged(file, name=name, values=values):
                    del file[name]
                    file[name] = values

                self.refused(OTHER, ["a.h5: ", f"'{name}"], self.spoiled(damaged), membench)
        for member, name, value in (("", "iterations", 0), ("", "sweep", "temporal:x")):
            with self.subTest(name=name):

                def damaged(file, member=member, name=name, value=value):
                    group = file[member] if member else file
                    group.attrs[name] = synthetic.text(value) if isinstance(value, str) else value

                self.refused(OTHER, "a.h5", self.spoiled(damaged), membench)

    def beside_a_run(self, name, run, spoil):
        """A folder with a himeno run, a membench run and this one, spoilt, as 0003.h5."""
        runs = [synthetic.himeno(synthetic.ONE, 2000, iterations=3), synthetic.membench(synthetic.ONE, 1.0), run]
        path = synthetic.write_folder(self.path(name), runs)
        with synthetic.edited(os.path.join(path, "0003.h5")) as file:
            spoil(file)
        return path

    def test_a_gpu_without_multiprocessors(self):
        def no_multiprocessors(file):
            file["machine/gpu"].attrs["multiprocessors"] = 0

        path = self.beside_a_run("membench", synthetic.membench(synthetic.ONE, 1.0), no_multiprocessors)
        self.refused(OTHER, ["0003.h5", "multiprocessors are 0"], path)

    def test_a_number_that_is_none(self):
        for value in (float("nan"), float("inf")):

            def not_finite(file, value=value):
                file["sweeps/seconds"][1] = value

            self.refused(VERIFICATION, ["a.h5: ", "sweeps.seconds"], self.spoiled(not_finite))

    def test_a_result_that_failed_verification(self):
        def failed(file):
            file.attrs["verified"] = False

        self.refused(VERIFICATION, ["a.h5: ", "failed verification"], self.spoiled(failed))

    def test_a_program_that_is_not_known(self):
        def renamed(file):
            file.attrs["program"] = synthetic.text("stream")

        self.refused(OTHER, ["'stream'", "membench, himeno"], self.spoiled(renamed))

    def test_the_second_file_is_named_where_it_is_wrong(self):
        good = self.results()
        shutil.copy(good, self.path("b.h5"))
        with synthetic.edited(self.path("b.h5")) as file:
            del file.attrs["sweep"]
        self.refused(OTHER, ["b.h5: ", "'sweep' is missing"], good, self.path("b.h5"))


class WrongCommandLine(Compare):
    def test_a_file_named_twice(self):
        path = self.results()
        self.refused(USAGE, "is named twice", path, path)

    def test_a_folder_named_twice(self):
        self.results()
        self.refused(USAGE, "is named twice", self.folder, self.folder)
        self.refused(USAGE, "is named twice", self.folder, self.folder + "/")

    def test_a_check_of_sides_that_share_no_case(self):
        other = synthetic.write_file(self.path("b.h5"), synthetic.himeno(synthetic.OTHER, 2000, size="L"))
        self.refused(USAGE, "no case in common", self.results(), other, "--fail-above", "5")

    def test_a_base_or_a_plot_that_is_none(self):
        path = self.results()
        self.refused(USAGE, ["'x' is no side", "NVIDIA H100 PCIe"], path, "--base", "x")
        self.refused(USAGE, ["'x' is no plot", "speed, phases"], path, "--plots", "p", "--only", "x")
        self.refused(USAGE, "--only goes with --plots", path, "--only", "speed")

    def test_a_description_of_another_machine(self):
        path = self.write("m.toml", DESCRIPTION)
        self.refused(USAGE, ["No such GPU", "NVIDIA H100 PCIe"], self.results(), "--machine", path)

    def test_a_description_or_reference_that_is_none(self):
        path = self.write("m.toml", DESCRIPTION + "warp_speed = {}\n")
        self.refused(USAGE, ["m.toml:5", "warp_speed", "device_memory"], self.results(), "--machine", path)
        self.refused(USAGE, ["m.toml:3", "match", "figures"], self.results(), "--reference", path)

    def test_options_that_are_none(self):
        path = self.results()
        self.refused(USAGE, ["'html'", "text, markdown, json"], path, "--format", "html")
        self.refused(USAGE, "--output", path, "--output", "x.h5")
        self.refused(USAGE, ["--plot", "did you mean --plots"], path, "--plot", "x")

    def test_predictions_are_of_descriptions(self):
        description = self.write("m.toml", DESCRIPTION)
        self.refused(USAGE, "--machine", "--predict", "himeno")
        self.refused(USAGE, "descriptions alone", self.results(), "--predict", "himeno", "--machine", description)
        self.refused(USAGE, ["'stream'", "himeno"], "--predict", "stream", "--machine", description)
        for program in ("himeno", "transpose"):
            predict = ["--predict", program, "--machine", description]
            self.refused(USAGE, "they do not go with --predict", *predict, "--reference", description)
            self.refused(OTHER, "r.html", *predict, "--html", self.write("r.html", "precious"))
            self.refused(USAGE, "m.toml", *predict[:2], "--machine", self.write("m.toml", "name = 1\nx = 2\n"))
            self.write("m.toml", DESCRIPTION)

    def test_a_size_that_is_none_or_of_no_prediction(self):
        description = self.write("m.toml", DESCRIPTION)
        for program, size, valid in (("himeno", "XXL", "XS, S, M, L, XL"), ("transpose", "8x", "ROWSxCOLUMNS")):
            self.refused(USAGE, [size, valid], "--predict", program, "--machine", description, "--size", size)
        self.refused(USAGE, "of --predict", self.results(), "--size", "M")


class WrongOutput(Compare):
    def test_a_report_that_exists(self):
        path = self.results()
        self.refused(OTHER, "it exists; --force replaces it", path, "--html", self.write("r.html", "precious"))

    def test_a_report_onto_what_it_is_made_from(self):
        path = self.results()
        with open(path, "rb") as file:
            before = file.read()
        machine = self.write("m.toml", DESCRIPTION)
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
