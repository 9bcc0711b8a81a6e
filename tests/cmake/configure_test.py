# Pins what a configuration refuses of what was given and found, what it downloads, what it says of sources without a
# revision, and that a parent project keeps its cache. Kokkos is a package without libraries: nothing is built.
import functools
import hashlib
import http.server
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
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


# Name and version, and the packages of Debian, Fedora and Spack.
LIBRARIES = """CLI11 2.1.2 libcli11-dev cli11-devel cli11
tomlplusplus 3.3.0 libtomlplusplus-dev tomlplusplus-devel tomlplusplus
fmt 9.1.0 libfmt-dev fmt-devel fmt
nlohmann_json 3.11.2 nlohmann-json3-dev json-devel nlohmann-json
GTest 1.12.1 libgtest-dev gtest-devel googletest"""
# The compiler of an HDF5 that needs the MPI of nobody.
H5PCC = """#!/bin/sh
case $1 in
  -show) echo "cc {includes} -L{folder} {folder}/libhdf5.so" ;;
  -showconfig) echo "  HDF5 Version: 1.10.8"; echo "  Parallel HDF5: yes" ;;
  *) exec cc -fsyntax-only {includes} "$@" ;;
esac
"""


class WithKokkos(unittest.TestCase):
    PREFIX = "memstencil-"

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix=self.PREFIX)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.kokkos = self.folder / "kokkos"
        self.kokkos.mkdir()
        (self.kokkos / "KokkosConfig.cmake").write_text(KOKKOS)
        (self.kokkos / "KokkosConfigVersion.cmake").write_text(
            "set(PACKAGE_VERSION 4.7.1)\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n")

    def run_cmake(self, *arguments, within=(), **variables):
        done = subprocess.run([*within, CMAKE, *arguments], env=os.environ | variables, capture_output=True, text=True,
                              check=False)  # fmt: skip
        return done.returncode, " ".join((done.stdout + done.stderr).split())


class Given(WithKokkos):
    PREFIX = "memstencil sp ace (x)-"

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


class Found(WithKokkos):
    def configure(self, *arguments, within=()):
        """What an earlier one learnt of the compilers is kept, and no library's absence."""
        return self.run_cmake("-S", ROOT, "-B", self.folder / "build", f"-DKokkos_ROOT={self.kokkos}",
                              "-UCMAKE_DISABLE_FIND_PACKAGE_*", *arguments, within=within)

    def refused(self, words, *arguments, within=()):
        code, said = self.configure(*arguments, within=within)
        self.assertNotEqual(code, 0, said)
        for each in words:
            self.assertIn(each, said)

    def test_a_kokkos_that_would_give_wrong_or_no_results_is_refused_with_a_way_out(self):
        for devices, options, *words in (
                ("SERIAL", "CUDA_LAMBDA;IMPL_CUDA_UNIFIED_MEMORY", "Kokkos 4.7.1", "Kokkos_ENABLE_IMPL_CUDA_UNIFIED_MEMORY=ON",
                 "would be mislabelled", "Kokkos_ENABLE_IMPL_CUDA_UNIFIED_MEMORY=OFF",
                 "-DCMAKE_DISABLE_FIND_PACKAGE_Kokkos=ON"),
                ("SERIAL", "CUDA_UVM", "Kokkos_ENABLE_CUDA_UVM=ON"),
                ("SERIAL;HIP", "", "Kokkos' HIP backend is not served", "-DKokkos_ROOT=DIR chooses another")):
            (self.kokkos / "KokkosConfig.cmake").write_text(
                f'set(Kokkos_DEVICES {devices})\nset(Kokkos_OPTIONS "{options}")\n')
            self.refused(words)

    def test_a_root_without_kokkos_is_refused(self):
        self.kokkos = self.folder / "empty"
        self.kokkos.mkdir()
        self.refused([f"Kokkos_ROOT={self.kokkos}: no Kokkos >= 4.7 is found there"])

    def test_a_library_that_is_missing_without_a_network_is_named_with_its_packages(self):
        within = ["unshare", "-rn"]
        if subprocess.run([*within, "true"], stderr=subprocess.DEVNULL, check=False).returncode:
            self.skipTest("no namespace without a network is allowed here")
        code, said = self.configure("-DMEMSTENCIL_MPI=OFF", "-DMEMSTENCIL_HDF5=OFF", within=within)
        if code:
            self.assertIn("is missing", said)
            self.skipTest(f"a library is not installed: {said}")
        for library, version, debian, fedora, spack in map(str.split, LIBRARIES.splitlines()):
            self.refused([f"{library} >= {version} is missing: install it (Debian: {debian}; Fedora: {fedora}; Spack: {spack}), "
                          "or name a source folder"], f"-DCMAKE_DISABLE_FIND_PACKAGE_{library}=ON", within=within)

    def test_a_missing_mpi_or_hdf5_is_named_with_its_packages(self):
        for library, words in (("MPI", "no MPI is found: install one (Debian: libopenmpi-dev openmpi-bin"),
                               ("HDF5", "no HDF5 >= 1.10.2 is found (Debian: libhdf5-openmpi-dev")):
            self.refused([words], f"-DCMAKE_DISABLE_FIND_PACKAGE_{library}=ON")

    def test_an_hdf5_of_another_mpi_is_refused_with_the_switches_that_choose(self):
        if not shutil.which("h5pcc") or not shutil.which("mpicc"):
            self.skipTest("it takes h5pcc and mpicc")
        shown = subprocess.check_output("h5pcc -show; mpicc -show", shell=True, text=True).split()
        includes = " ".join(sorted({word for word in shown if word.startswith("-I")}))
        for name, source, option in (
                ("mpiother", "int MPI_Initialized(int* flag) { return *flag = 0; }", "-Wl,-soname,libmpiother.so.7"),
                ("hdf5", "int MPI_Initialized(int*); int H5open(void) { int flag; return MPI_Initialized(&flag); }", "-lmpiother")):
            subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", self.folder / f"lib{name}.so", f"-L{self.folder}",
                            option], input=source, text=True, check=True)  # fmt: skip
        compiler = self.folder / "h5pcc"
        compiler.write_text(H5PCC.replace("{includes}", includes).replace("{folder}", str(self.folder)))
        compiler.chmod(0o755)
        self.refused(["libhdf5.so was built for another MPI (libmpiother.so.7) than the one found",
                      "-DMPI_C_COMPILER=... and -DMPIEXEC_EXECUTABLE=..."], f"-DHDF5_C_COMPILER_EXECUTABLE={compiler}")


class Registry(WithKokkos):
    """Kokkos' archive comes from the index that pip is configured for; its hash is checked, and nothing of it is unpacked."""
    ARCHIVE = b"bytes of an archive"

    def found(self, sha256):
        """Is it, and the files that are there then?"""
        index, name = self.folder / "index", "pygenten-0.1.5.tar.gz"
        for folder in ("index/simple/pygenten", "index/files", ".deps"):
            (self.folder / folder).mkdir(parents=True)
        (index / "simple/pygenten/index.html").write_text(f'<a href="../../files/{name}#sha256=0">{name}</a>')
        (index / "files" / name).write_bytes(self.ARCHIVE)
        script = self.folder / "registry.cmake"
        script.write_text(f'cmake_minimum_required(VERSION 3.25)\nset(PROJECT_SOURCE_DIR {self.folder})\n'
                          f'include({ROOT}/cmake/Registry.cmake)\nset(sha256_{name} {sha256})\n'
                          f'memstencil_download_from_registry({name} found)\nmessage("found: ${{found}}")\n')
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=index)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{server.server_port}/simple/"
            said = self.run_cmake("-P", script, PIP_INDEX_URL=address, no_proxy="*")
            server.shutdown()
        return said, {path.name: path.read_bytes() for path in (self.folder / ".deps").iterdir()}

    def test_an_archive_of_another_hash_is_removed(self):
        self.assertEqual(self.found("0"), ((0, "found: OFF"), {}))

    def test_the_right_one_is_kept_as_it_came(self):
        right = hashlib.sha256(self.ARCHIVE).hexdigest()
        self.assertEqual(self.found(right), ((0, "found: ON"), {"pygenten-0.1.5.tar.gz": self.ARCHIVE}))


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
        names = {f"GIT_{who}_{part}": "a@b" for who in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
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
