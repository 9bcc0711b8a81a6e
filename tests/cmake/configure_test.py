# Pins what a configuration refuses of what was given, what it says of sources without a revision, and that a parent
# project keeps its cache. Kokkos is a package without libraries: nothing is built.
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

CMAKE, CXX = os.environ["CMAKE"], os.environ["CXX"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
KOKKOS = """set(Kokkos_DEVICES SERIAL)
set(Kokkos_ARCH NATIVE)
add_library(Kokkos::kokkoscore INTERFACE IMPORTED)
add_library(Kokkos::kokkos INTERFACE IMPORTED)
"""
PARENT = """cmake_minimum_required(VERSION 3.25)
project(parent LANGUAGES C CXX)
include(FetchContent)
FetchContent_Declare(memstencil SOURCE_DIR {root})
FetchContent_MakeAvailable(memstencil)
foreach(target memory_spaces kernels)
  if(NOT TARGET memstencil::${{target}})
    message(FATAL_ERROR "no ${{target}}")
  endif()
endforeach()
"""


class Configuration(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="memstencil sp ace (x)-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.kokkos = self.folder / "kokkos"
        self.kokkos.mkdir()
        (self.kokkos / "KokkosConfig.cmake").write_text(KOKKOS)
        (self.kokkos / "KokkosConfigVersion.cmake").write_text(
            "set(PACKAGE_VERSION 4.7.1)\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n")

    def run_cmake(self, *arguments, **variables):
        done = subprocess.run([CMAKE, *arguments], env=os.environ | variables, capture_output=True, text=True, check=False)
        return done.returncode, " ".join((done.stdout + done.stderr).split())

    def refused(self, words, *arguments, **variables):
        code, said = self.run_cmake("--fresh", "-S", ROOT, "-B", self.folder / "build", *arguments, **variables)
        self.assertNotEqual(code, 0, said)
        self.assertIn(words, said)
        self.assertNotIn("compiler identification", said)  # before anything else

    def test_a_build_type_of_another_name_is_refused_with_the_four(self):
        self.refused("CMAKE_BUILD_TYPE=Relase: valid are Debug, Release, RelWithDebInfo and MinSizeRel",
                     "-DCMAKE_BUILD_TYPE=Relase")
        self.refused("CMAKE_BUILD_TYPE=Fast: valid are", CMAKE_BUILD_TYPE="Fast")

    def given_type(self, *arguments):
        script = self.folder / "type.cmake"
        script.write_text(f'include("{ROOT}/cmake/Given.cmake")\nmessage("type: ${{CMAKE_BUILD_TYPE}}.")\n')
        code, said = self.run_cmake(*arguments, "-P", script)
        self.assertEqual(code, 0, said)
        return said

    def test_other_build_types_pass_and_are_spelt_alike(self):
        self.assertEqual(self.given_type(), "type: Release.")
        for given, type_ in (("release", "Release"), ("DEBUG", "Debug"), ("relwithdebinfo", "RelWithDebInfo")):
            self.assertEqual(self.given_type(f"-DCMAKE_BUILD_TYPE={given}"), f"type: {type_}.")
        for given in ("None", ""):
            self.assertEqual(self.given_type(f"-DCMAKE_BUILD_TYPE={given}"),
                             f"-- CMAKE_BUILD_TYPE='{given}': optimisation is left to CMAKE_CXX_FLAGS type: {given}.")

    def test_a_root_that_is_not_there_is_refused(self):
        for name in ("Kokkos_ROOT", "Kokkos_DIR", "HDF5_ROOT", "NCCL_ROOT"):
            self.refused(f"{name}=/nonexistent: there is no such folder", f"-D{name}=/nonexistent")
        self.refused("MPI_ROOT=/nonexistent: there is no such folder", MPI_ROOT=f"{self.folder}:/nonexistent")

    def test_a_root_without_kokkos_is_refused(self):
        empty = self.folder / "empty"
        empty.mkdir()
        code, said = self.run_cmake("--fresh", "-S", ROOT, "-B", self.folder / "build", f"-DKokkos_ROOT={empty}")
        self.assertNotEqual(code, 0, said)
        self.assertIn(f"Kokkos_ROOT={empty}: no Kokkos >= 4.7 is found there", said)

    def test_fast_mathematics_is_refused(self):
        for flags in ("--use_fast_math", "-O3 -ftz=true", "-prec-div=false"):
            self.refused(f"CUDA flags '{flags}'", f"-DCMAKE_CUDA_FLAGS={flags}")
        for flag, code in (("-O3", 0), ("-Ofast", 1), ("-ffast-math", 1), ("-ffinite-math-only", 1)):
            done = subprocess.run([CXX, "-std=c++20", flag, "-fsyntax-only", "-x", "c++", f"-I{ROOT}", "-"], text=True,
                                  input='#include "kernels/portable.hpp"\n', capture_output=True, check=False)  # fmt: skip
            self.assertEqual((min(done.returncode, 1), "#error" in done.stderr), (code, bool(code)), done.stderr)

    def test_a_parent_project_keeps_its_cache_and_has_the_libraries(self):
        (self.folder / "parent").mkdir()
        (self.folder / "parent/CMakeLists.txt").write_text(PARENT.format(root=ROOT))
        build = self.folder / "parent/build"
        code, said = self.run_cmake("-S", self.folder / "parent", "-B", build, f"-DKokkos_ROOT={self.kokkos}",
                                    "-DCMAKE_BUILD_TYPE=Ours", "-DMEMSTENCIL_MPI=OFF", "-DMEMSTENCIL_HDF5=OFF")
        self.assertEqual(code, 0, said)
        self.assertIn("CMAKE_BUILD_TYPE='Ours': optimisation is left to CMAKE_CXX_FLAGS", said)
        cache = (build / "CMakeCache.txt").read_text()
        self.assertIn("\nCMAKE_BUILD_TYPE:UNINITIALIZED=Ours\n", cache.replace(":STRING=", ":UNINITIALIZED="))
        for name in ("BUILD_TESTING", "CMAKE_CUDA_ARCHITECTURES", "CMAKE_RUNTIME_OUTPUT_DIRECTORY"):
            self.assertNotIn(f"\n{name}:", cache)


class Revision(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="memstencil-revision-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.checkout = self.folder / "checkout"
        (self.checkout / "cmake").mkdir(parents=True)
        for name in ("cmake/archived-revision", ".gitattributes"):
            shutil.copy(ROOT / name, self.checkout / name)
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-qm", "first")
        self.head = self.git("rev-parse", "HEAD")[:12]

    def git(self, *words):
        names = {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        return subprocess.run(["git", *words], cwd=self.checkout, env=os.environ | names, capture_output=True, text=True,
                              check=True).stdout  # fmt: skip

    def revision(self, source):
        script = self.folder / "ask.cmake"
        script.write_text(f'include("{ROOT}/cmake/Revision.cmake")\nmemstencil_revision({source} revision doubt)\n'
                          'message("${revision}|${doubt}")\n')
        done = subprocess.run([CMAKE, "-P", script], capture_output=True, text=True, check=True)
        return done.stderr.strip().split("|")

    def test_is_gits_and_edits_are_doubted(self):
        self.assertEqual(self.revision(self.checkout), [self.head, ""])
        (self.checkout / ".gitattributes").write_text("edited\n")
        self.assertEqual(self.revision(self.checkout), [f"{self.head}-dirty",
                                                        "results cannot say which edits they were measured with"])

    @unittest.skipIf(os.geteuid() != 0, "needs root")
    def test_of_another_users_checkout_is_known(self):
        for folder, folders, names in os.walk(self.checkout):
            for each in (folder, *(os.path.join(folder, name) for name in folders + names)):
                os.chown(each, 65534, 65534)
        refused = subprocess.run(["git", "-C", self.checkout, "status"], capture_output=True, text=True, check=False)
        self.assertIn("dubious ownership", refused.stderr)
        self.assertEqual(self.revision(self.checkout), [self.head, ""])

    def test_of_an_archive_is_its_commits_and_of_neither_is_doubted(self):
        for outer in (self.folder / "alone", self.checkout / "within"):  # another repository's revision says nothing
            (outer / "cmake").mkdir(parents=True)
            self.assertEqual(self.revision(outer)[0], "unknown")
            self.assertIn("no repository and no archive", self.revision(outer)[1])
            self.git("archive", "--format=tar", f"--output={self.folder}/a.tar", "HEAD")
            subprocess.run(["tar", "xf", self.folder / "a.tar", "-C", outer], check=True)
            self.assertEqual(self.revision(outer), [self.head, ""])


if __name__ == "__main__":
    unittest.main()
