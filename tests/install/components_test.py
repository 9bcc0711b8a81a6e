# Pins what cmake --install puts where: the programs with all that they need, and nothing of anybody else's; the
# library below names of its own.
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

    def test_are_these_with_their_data_and_licences(self):
        self.assertEqual({name for name in self.files if name.startswith("bin/")}, {"bin/" + name for name in PROGRAMS})
        expected = {"share/doc/memstencil/LICENSE", "share/memstencil/plots/draw.py", "share/memstencil/page/page.css"}
        self.assertEqual(expected - self.files, set())
        self.assertEqual([name for name in self.files if not re.match(r"bin/|share/(doc/)?memstencil/", name)], [])


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
