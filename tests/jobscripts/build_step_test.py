# What the step build asks of compiler, CMake and bundle before it spends a node's time.
import hashlib
import json
import os
import shutil
import subprocess
import unittest

from sites import CMAKE, SITES, SiteTest, compiler


class BuildStep(SiteTest):
    def setUp(self):
        super().setUp()
        self.stand_in("cmake", CMAKE)

    def built_with(self, defined, site="generic", **more):
        """The step, with a compiler that knows these names."""
        self.stand_in("my-compiler", compiler(defined))
        return self.submit(site, "build", CXX="my-compiler", **more)

    def refused(self, done, says):
        self.assertEqual(done.returncode, 2, self.told)
        self.assertIn(says, done.stderr)
        self.assertNotIn(" --preset ", self.log())

    def test_is_told_the_compiler_where_libraries_are_and_more_arguments(self):
        report = 'echo "cmake with $CXX, $CMAKE_PREFIX_PATH" >>"$STAND_INS/log"\n'
        for site in SITES:
            with self.subTest(site=site):
                self.setUp()
                self.stand_in("cmake", CMAKE + report)
                done = self.built_with({"__GNUC__": "12"}, site, CMAKE_PREFIX_PATH="/opt/hdf5",
                                       CMAKE_ARGS="-DCMAKE_CUDA_ARCHITECTURES=80 -DMEMSTENCIL_NCCL=ON")
                self.assertEqual(done.returncode, 0, self.told)
                self.assertIn("cmake with my-compiler, /opt/hdf5", self.log())
                self.assertIn(" -DMEMSTENCIL_HDF5=ON -DCMAKE_CUDA_ARCHITECTURES=80 -DMEMSTENCIL_NCCL=ON\n", self.log())

    def test_judges_a_compiler_by_what_it_says_and_not_by_its_name(self):
        clang = {"__GNUC__": "4", "__clang_major__": "14"}
        self.refused(self.built_with({"__GNUC__": "10"}), "my-compiler is version 10, and 11 or newer is needed")
        self.refused(self.built_with(clang), "my-compiler (Clang) is version 14, and 16 or newer is needed")
        done = self.built_with({"__GNUC__": "13", "__NVCOMPILER": "1"})
        self.refused(done, "my-compiler is NVIDIA's nvc++")
        self.refused(self.built_with({}), "my-compiler does not work as a C++ compiler")
        self.assertEqual(self.built_with(clang | {"__clang_major__": "16"}).returncode, 0, self.told)
        self.assertEqual(self.submit("generic", "build", CXX="g++").returncode, 0, self.told)

    def chosen(self, named, of_modules):
        """The compiler that a job takes."""
        script = f"""PRESET=openmp STEP=build SITE=here JOB=1
            . jobscripts/common/steps.sh
            load_modules() {{ {of_modules}; }}
            enter_environment
            echo "$CXX ${{CC:-}}" """
        done = subprocess.run(["bash", "-euc", script], cwd=self.checkout, capture_output=True, text=True, timeout=60,
                              env={"PATH": os.environ["PATH"], "CXX": named}, check=True)
        return done.stdout.strip()

    def test_takes_the_users_compiler_over_that_of_modules_and_gpp_over_nvcpp(self):
        nvidia = "export CXX=/opt/nvidia/bin/nvc++ CC=/opt/nvidia/bin/nvc"
        self.assertEqual(self.chosen("", ":"), "g++")
        self.assertEqual(self.chosen("", "export CXX=g++-13 CC=gcc-13"), "g++-13 gcc-13")
        self.assertEqual(self.chosen("", nvidia), "g++")
        self.assertEqual(self.chosen("clang++-16", nvidia), "clang++-16")
        self.assertEqual(self.chosen("/opt/nvidia/bin/nvc++", nvidia), "g++")  # of a login shell with NVHPC

    @unittest.skipUnless(shutil.which("g++"), "no g++")
    def test_builds_with_the_compiler_that_is_named_and_not_with_that_of_the_last_build(self):
        with open(os.path.join(self.checkout, "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write("cmake_minimum_required(VERSION 3.25)\nproject(small CXX)\n")
        preset = {"name": "openmp", "binaryDir": "build", "generator": "Unix Makefiles"}
        with open(os.path.join(self.checkout, "CMakePresets.json"), "w", encoding="utf-8") as file:
            json.dump({"version": 3, "configurePresets": [preset],
                       "buildPresets": [{"name": "openmp", "configurePreset": "openmp"}]}, file)
        os.remove(os.path.join(self.stand_ins, "cmake"))
        for name in ("first", "second"):
            self.stand_in(name, f'#!/bin/bash\nexec {shutil.which("g++")} "$@"\n')
            self.good("generic", "build", CXX=name)
            with open(os.path.join(self.checkout, "build/CMakeCache.txt"), encoding="utf-8") as file:
                self.assertIn(f"{self.stand_ins}/{name}\n", file.read(), self.told)

    def test_refuses_a_cmake_that_does_not_know_the_presets(self):
        self.stand_in("cmake", CMAKE.replace("3.25.1", "3.22.1"))
        self.refused(self.submit("generic", "build"), "cmake is version 3.22.1, and 3.25 or newer is needed")

    def test_refuses_a_damaged_bundle(self):
        os.mkdir(os.path.join(self.checkout, ".deps"))
        text = b"of a library"
        for name, sum_of in (("header", text), ("SHA256SUMS", None)):
            with open(os.path.join(self.checkout, ".deps", name), "wb") as file:
                file.write(sum_of or hashlib.sha256(text).hexdigest().encode() + b"  .deps/header\n")
        self.assertEqual(self.submit("generic", "build").returncode, 0, self.told)
        with open(os.path.join(self.checkout, ".deps/header"), "ab") as file:
            file.write(b"!")
        os.remove(os.path.join(self.stand_ins, "log"))
        self.refused(self.submit("generic", "build"), "this bundle is damaged: unpack it again")


if __name__ == "__main__":
    unittest.main()
