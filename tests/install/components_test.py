# Pins what cmake --install puts where: the programs with all that they need, and nothing of anybody else's; the
# library below names of its own. Manual pages and completion know every option of --help.
import glob
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

CMAKE, BUILD = os.environ["CMAKE"], os.environ["BUILD"]
PROGRAMS = ["himeno", "memcompare", "membench", "memstencil-heat", "memstencil-transpose"]


class Component(unittest.TestCase):
    def installed(self, name):
        folder = tempfile.TemporaryDirectory(prefix="memstencil-install-")
        self.addCleanup(folder.cleanup)
        done = subprocess.run([CMAKE, "--install", BUILD, "--prefix", folder.name, "--component", name],
                              capture_output=True, text=True, check=False)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        self.folder = pathlib.Path(folder.name)
        return {str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if not path.is_dir()}


class Programs(Component):
    def setUp(self):
        self.files = self.installed("programs")

    def test_are_these_with_their_pages_data_and_licences(self):
        self.assertEqual({name for name in self.files if name.startswith("bin/")}, {"bin/" + name for name in PROGRAMS})
        expected = {f"share/man/man1/{name}.1" for name in PROGRAMS}
        expected |= {f"share/bash-completion/completions/{name}" for name in PROGRAMS}
        expected |= {"share/doc/memstencil/LICENSE", "share/memstencil/plots/draw.py", "share/memstencil/page/page.css"}
        self.assertEqual(expected - self.files, set())
        beside = [name for name in self.files
                  if not re.match(r"bin/|share/(man/man1|bash-completion/completions|memstencil|doc/memstencil)/", name)]
        self.assertEqual(beside, [])

    def options(self, program):
        done = subprocess.run([self.folder / "bin" / program, "--help"], capture_output=True, text=True, check=True)
        return re.findall(r"^  (?:-\w,)?(--[\w-]+)", done.stdout, re.MULTILINE)

    def test_manual_pages_have_every_option_and_no_faults(self):
        for program in PROGRAMS:
            page = self.folder / f"share/man/man1/{program}.1"
            told = re.findall(r"^\.B (?:\\-\w,)?(\\-\\-\S+)", page.read_text(), re.MULTILINE)
            self.assertEqual([name.replace("\\", "") for name in told], self.options(program))
            self.assertGreater(len(told), 10)
            for tool in (["groff", "-man", "-ww", "-Tutf8"], ["mandoc", "-Tlint", "-Wwarning"]):
                try:
                    done = subprocess.run([*tool, page], capture_output=True, text=True, check=False)
                except FileNotFoundError:
                    continue
                self.assertEqual((done.returncode, done.stderr), (0, ""), tool)

    def completed(self, program, *words):
        """What bash offers for the last of the words."""
        script = self.folder / "share/bash-completion/completions" / program
        code = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); "_${1//-/_}"; echo "${COMPREPLY[*]}"'
        done = subprocess.run(["bash", "-euc", code, "bash", script, program, *words], capture_output=True, text=True, check=True)
        return done.stdout.split()

    def test_completion_knows_every_option_and_the_values_of_choices(self):
        for program in PROGRAMS:
            self.assertEqual(self.completed(program, "--"), self.options(program))
        self.assertEqual(self.completed("himeno", "--memsp"), ["--memspace"])
        self.assertEqual(self.completed("himeno", "--memspace", "m"), ["managed"])
        self.assertEqual(self.completed("memstencil-transpose", "--tile", ""), ["16", "32"])
        self.assertEqual(self.completed("himeno", "--output", "x"), [])  # files: bash's own


class Library(Component):
    def test_has_no_commands_and_names_of_its_own(self):
        files = self.installed("library")
        self.assertEqual({name for name in files if name.startswith("bin/")}, set())
        own = re.compile(r"(include|share/doc)/memstencil/|include/kokkos/|lib\S*/(memstencil/|cmake/memstencil/|libmemstencil_\w+\.a$)")
        self.assertEqual([name for name in files if not own.match(name)], [])
        self.assertIn("share/doc/memstencil/LICENSE", files)
        self.assertTrue(glob.glob(str(self.folder / "lib*" / "**" / "libmemstencil_memory_spaces.a"), recursive=True))


if __name__ == "__main__":
    unittest.main()
