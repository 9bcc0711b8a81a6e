# jobscripts/tools/openmpi-cuda.sh with stand-ins for a release of Open MPI: what it refuses, and that
# it believes nothing but what the installed MPI says.
import os
import subprocess
import unittest

from sites import SiteTest

# Leaves a Makefile whose install puts an ompi_info there that says what it is built with.
CONFIGURE = """#!/bin/bash
echo "configure $*" >>"$STAND_INS/log"
for argument; do [[ $argument == --prefix=* ]] && prefix=${argument#*=}; done
printf 'all:\\ninstall-strip:\\n\\tmkdir -p %s/bin && cp ompi_info %s/bin\\n' "$prefix" "$prefix" >Makefile
printf '#!/bin/bash\\necho mca:mpi:base:param:mpi_built_with_cuda_support:value:%s\\n' "$CUDA_SUPPORT" >ompi_info
chmod +x ompi_info
"""


class OpenMpiWithCuda(SiteTest):
    def setUp(self):
        super().setUp()
        self.release, self.cuda = os.path.join(self.folder, "openmpi"), os.path.join(self.folder, "cuda")
        self.prefix, self.scratch = os.path.join(self.folder, "prefix"), os.path.join(self.folder, "scratch")
        os.makedirs(self.release)
        os.mkdir(self.scratch)
        os.makedirs(os.path.join(self.cuda, "include"))
        self.executable(os.path.join(self.release, "configure"), CONFIGURE)
        self.executable(os.path.join(self.cuda, "include/cuda.h"), "")

    def run_tool(self, *arguments, support="true", **more):
        return subprocess.run(
            [os.path.join(self.checkout, "jobscripts/tools/openmpi-cuda.sh"), *arguments],
            env={"PATH": os.environ["PATH"], "STAND_INS": self.stand_ins, "CUDA_HOME": self.cuda,
                 "CUDA_SUPPORT": support, "TMPDIR": self.scratch, "JOBS": "1", **more},
            cwd=self.folder, capture_output=True, text=True, timeout=60, check=False,
        )

    def refused(self, says, *arguments):
        done = self.run_tool(*arguments)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(says, done.stderr)
        self.assertEqual(os.listdir(self.scratch), [])

    def test_refuses_in_one_line_what_cannot_work(self):
        self.refused("PREFIX is missing", self.release)
        self.refused("there is no ", self.release + "-none", self.prefix)
        os.remove(os.path.join(self.release, "configure"))
        self.refused("has no configure: take a release", self.release, self.prefix)
        archive = os.path.join(self.folder, "no-archive.tar.xz")
        self.executable(archive, "no archive")
        self.refused(f"{archive} cannot be unpacked: ", archive, self.prefix)
        os.remove(os.path.join(self.cuda, "include/cuda.h"))
        self.refused("set CUDA_HOME", self.release, self.prefix)

    def test_refuses_a_folder_that_is_not_empty(self):
        os.makedirs(os.path.join(self.prefix, "bin"))
        self.refused("is not empty", self.release, self.prefix)

    def test_hands_on_arguments_last_and_says_how_to_use_it(self):
        done = self.run_tool(self.release, self.prefix, "--with-ucx=/usr")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"export PATH={self.prefix}/bin:$PATH", done.stderr)
        self.assertIn(f"--with-cuda={self.cuda} --without-ucx", self.log())
        self.assertTrue(self.log().endswith(" --with-ucx=/usr\n"), self.log())

    def test_takes_folders_from_where_it_is_called(self):
        done = self.run_tool("openmpi", "prefix", CUDA_HOME="cuda")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(f"--prefix={self.prefix} --with-cuda={self.cuda} ", self.log())
        self.assertEqual(os.listdir(self.scratch), [])

    def test_does_not_pass_off_a_build_without_cuda(self):
        done = self.run_tool(self.release, self.prefix, support="false")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("built, but without CUDA", done.stderr)

    def test_shows_the_end_of_the_log_where_configure_fails(self):
        self.executable(os.path.join(self.release, "configure"), "#!/bin/bash\necho no compiler; exit 1\n")
        done = self.run_tool(self.release, self.prefix)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no compiler", done.stderr)


if __name__ == "__main__":
    unittest.main()
