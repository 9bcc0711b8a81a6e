# A build whose programs are on PATH does not lend its Kokkos to another build.
import os
import pathlib
import subprocess
import tempfile
import unittest

CMAKE = os.environ.get("CMAKE", "cmake")
FIND_KOKKOS = pathlib.Path(__file__).resolve().parents[2] / "cmake/find_kokkos"
PROJECT = f"""cmake_minimum_required(VERSION 3.24...3.25)
project(user LANGUAGES NONE)
add_subdirectory({FIND_KOKKOS} found)
get_property(folder GLOBAL PROPERTY memstencil_kokkos_dir)
message(STATUS "taken: <${{folder}}>")
"""
VERSION = """set(PACKAGE_VERSION 4.7.0)
set(PACKAGE_VERSION_COMPATIBLE TRUE)
"""


class KokkosOnPath(unittest.TestCase):
    def told(self, of_a_build):
        with tempfile.TemporaryDirectory(prefix="memstencil-kokkos-") as folder:
            root = pathlib.Path(folder)
            kokkos = root / "prefix/kokkos"
            kokkos.mkdir(parents=True)
            (root / "prefix/bin").mkdir()
            if of_a_build:
                (root / "prefix/memory_spaces/CMakeFiles").mkdir(parents=True)
            (kokkos / "KokkosConfig.cmake").write_text("set(Kokkos_DEVICES SERIAL)\n")
            (kokkos / "KokkosConfigVersion.cmake").write_text(VERSION)
            (root / "CMakeLists.txt").write_text(PROJECT)
            path = f"{root}/prefix/bin:{os.environ['PATH']}"
            done = subprocess.run(
                [CMAKE, "-S", folder, "-B", f"{folder}/build"],
                env=os.environ | {"PATH": path},
                capture_output=True,
                text=True,
                check=True,
            )
            return done.stdout.replace(folder, "")

    def test_is_taken_where_it_is_installed(self):
        self.assertIn("taken: </prefix/kokkos>", self.told(False))

    def test_is_passed_over_where_it_is_part_of_another_build(self):
        told = self.told(True)
        self.assertIn("is passed over: it is part of another build of this project", told)
        self.assertIn("taken: <>", told)


if __name__ == "__main__":
    unittest.main()
