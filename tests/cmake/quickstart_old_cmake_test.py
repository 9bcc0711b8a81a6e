# Pins what quickstart does where the system's CMake is too old: it gets a newer one, says so, and uses it.
import os
import shutil
import stat
import subprocess
import tempfile
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")

OLD_CMAKE = '#!/bin/bash\necho "cmake version 3.22.1"\n'
# Stands for the one from PyPI: tells its arguments, builds nothing, and fails at the build.
NEW_CMAKE = """#!/bin/bash
[[ $1 == --version ]] && echo "cmake version 3.31.6" && exit
echo "new cmake $*" >>"$CALLS"
[[ $1 != --build ]]
"""
# Stands for python3 -m pip install --target FOLDER ...
PIP = """#!/bin/bash
echo "python3 $*" >>"$CALLS"
[[ -n $NO_NETWORK ]] && echo "no network" && exit 1
while [[ $1 != --target ]]; do shift; done
mkdir -p "$2/cmake/data/bin" && cp "$NEW_CMAKE" "$2/cmake/data/bin/cmake"
"""


class OldCMake(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="memstencil-quickstart-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.makedirs(self.path("checkout/app/himeno"))
        for name in ("quickstart", "VERSION"):
            shutil.copy(os.path.join(ROOT, name), self.path("checkout"))
        shutil.copy(os.path.join(ROOT, "app/himeno/CMakeLists.txt"), self.path("checkout/app/himeno"))
        self.tool("bin/cmake", OLD_CMAKE)
        self.tool("bin/python3", PIP)
        self.tool("bin/nvidia-smi", "#!/bin/bash\nexit 1\n")
        self.tool("new-cmake", NEW_CMAKE)

    def path(self, name):
        return os.path.join(self.folder, name)

    def tool(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), stat.S_IRWXU)

    def quickstart(self, **variables):
        # No dpkg and no apt-get: nothing of this machine is looked at or installed.
        for tool in ["bash", "sed", "awk", "sort", "paste", "head", "tail", "env", "nproc", "mkdir", "cp", "rm", "cat",
                     "flock", "timeout", "dirname", "grep", "tr", "touch"]:
            if not os.path.exists(self.path("bin/" + tool)):
                os.symlink(shutil.which(tool), self.path("bin/" + tool))
        return subprocess.run([self.path("checkout/quickstart"), "himeno"], capture_output=True, text=True, timeout=60,
                              check=False, env={"PATH": self.path("bin"), "CALLS": self.path("calls"),
                                                "NEW_CMAKE": self.path("new-cmake")} | variables)

    def calls(self):
        with open(self.path("calls"), encoding="utf-8") as file:
            return file.read().splitlines()

    def test_newer_one_is_got(self):
        done = self.quickstart()
        self.assertIn("no cmake >= 3.25 on PATH: getting", done.stderr)
        got, configured, built = self.calls()
        self.assertIn("pip install", got)
        self.assertIn("new cmake --fresh", configured)
        self.assertIn("new cmake --build", built)

    def test_next_run_gets_nothing(self):
        self.quickstart()
        os.remove(self.path("calls"))
        done = self.quickstart()
        self.assertNotIn("PyPI", done.stderr)
        self.assertTrue(all(call.startswith("new cmake") for call in self.calls()), self.calls())

    def test_no_network(self):
        done = self.quickstart(NO_NETWORK="1")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("load a module with cmake >= 3.25", done.stderr)


if __name__ == "__main__":
    unittest.main()
