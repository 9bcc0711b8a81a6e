# Pins what cmake --install puts where: the programs with all that they need, and nothing of anybody else's; the
# library below names of its own.
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

PROGRAMS = ["himeno", "memcompare", "membench", "memstencil-heat", "memstencil-transpose"]
LICENCE = "share/doc/memstencil/LICENSE"
OF_LIBRARY = r"(include|share/doc)/memstencil/|include/kokkos/|lib\S*/(memstencil/|cmake/memstencil/|libmemstencil_\w+\.a$)"


class Component(unittest.TestCase):
    def expect(self, component, commands, expected, own):
        """The component has these commands and these files, and besides them names of its own alone."""
        with tempfile.TemporaryDirectory(prefix="memstencil-install-") as folder:
            subprocess.run([os.environ["CMAKE"], "--install", os.environ["BUILD"], "--prefix", folder, "--component", component],
                           stdout=subprocess.DEVNULL, check=True)  # fmt: skip
            there = pathlib.Path(folder)
            files = {path.relative_to(there).as_posix() for path in there.rglob("*") if not path.is_dir()}
        commands = {f"bin/{name}" for name in commands}
        self.assertEqual({name for name in files if name.startswith("bin/")}, commands)
        self.assertEqual({LICENCE, *expected} - {re.sub("^lib[^/]*/", "lib/", name) for name in files}, set())
        self.assertEqual([name for name in files - commands if not re.match(own, name)], [])

    def test_programs_have_their_data(self):
        data = ["share/memstencil/plots/draw.py", "share/memstencil/page/page.css"]
        self.expect("programs", PROGRAMS, data, "share/(doc/)?memstencil/")

    def test_library_has_no_commands(self):
        self.expect("library", [], ["lib/libmemstencil_memory_spaces.a"], OF_LIBRARY)


if __name__ == "__main__":
    unittest.main()
