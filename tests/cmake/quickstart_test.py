# Pins what quickstart does where the system's CMake is too old: it gets a newer one, says so, and uses it. And where
# packages are missing: root installs them, others are asked on a terminal, and otherwise told the names.
import os
import pty
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


# They stand for a package manager that finds git alone, and tell what is asked of them.
DPKG_QUERY = "#!/bin/bash\necho 'installed git'\necho 'config-files make'\n"
RPM = "#!/bin/bash\nprintf '%s\\n' git cmake\n"
TOLD = """#!/bin/bash
echo "${0##*/} $*" >>"$CALLS"
[[ ${0##*/} != sudo ]] || exec "$@"
"""


class Quickstart(unittest.TestCase):
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

    def quickstart(self, user=None, terminal=None, **variables):
        # No dpkg and no apt-get: nothing of this machine is looked at or installed.
        for tool in ["bash", "sed", "awk", "sort", "paste", "head", "tail", "env", "nproc", "mkdir", "cp", "rm", "cat",
                     "flock", "timeout", "dirname", "grep", "tr", "touch", "cut"]:
            if not os.path.exists(self.path("bin/" + tool)):
                os.symlink(shutil.which(tool), self.path("bin/" + tool))
        open(self.path("calls"), "a", encoding="utf-8").close()
        if user is not None:
            for folder, _, names in os.walk(self.folder):
                for each in [folder, *(os.path.join(folder, name) for name in names)]:
                    os.chown(each, user, -1, follow_symlinks=False)
        environment = {"PATH": self.path("bin"), "CALLS": self.path("calls"), "NEW_CMAKE": self.path("new-cmake")}
        command = [self.path("checkout/quickstart"), "himeno"]
        settings = {"env": environment | variables, "user": user, "timeout": 600, "check": False, "text": True}
        if terminal is None:
            return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, **settings)
        ours, theirs = pty.openpty()
        os.write(ours, terminal.encode())
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, stdin=theirs, **settings)
        done.stderr = os.read(ours, 100_000).decode()
        os.close(theirs)
        os.close(ours)
        return done

    def calls(self):
        with open(self.path("calls"), encoding="utf-8") as file:
            return file.read().splitlines()


class OldCMake(Quickstart):
    def test_newer_one_is_got_and_a_build_that_fails_is_not_ready(self):
        done = self.quickstart()
        self.assertIn("no cmake >= 3.25 on PATH: getting", done.stderr)
        got, configured, built = self.calls()
        self.assertIn("pip install", got)
        self.assertIn("new cmake --fresh", configured)
        self.assertIn("new cmake --build", built)
        self.assertEqual(done.returncode, 1)
        self.assertIn("failed: the build of himeno", done.stderr)
        self.assertNotIn("ready", done.stderr)
        self.assertFalse(os.path.exists(self.path("checkout/build/built-himeno")))

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


class MissingPackages(Quickstart):
    NOBODY = 65534

    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)
        for name in ("apt-get", "sudo"):
            self.tool("bin/" + name, TOLD)

    def installs(self):
        return [call for call in self.calls() if call.startswith(("apt-get -q install", "sudo"))]

    @unittest.skipIf(os.geteuid() != 0, "needs root")
    def test_root_installs_what_is_missing_at_once(self):
        self.tool("bin/dpkg-query", DPKG_QUERY)
        self.quickstart()
        (install,) = self.installs()
        self.assertIn(" g++ ", install)
        self.assertIn(" make ", install)  # removed, and its settings kept
        self.assertNotIn(" git", install)

    @unittest.skipIf(os.geteuid() != 0, "needs root, to be another user")
    def test_without_a_terminal_names_are_told_and_sudo_is_not_started(self):
        self.tool("bin/dpkg-query", DPKG_QUERY)
        done = self.quickstart(user=self.NOBODY)
        self.assertEqual(self.installs(), [])
        for line in ("apt: g++ cmake", "dnf: gcc-c++ cmake", "zypper: gcc-c++ cmake", "Spack: gcc cmake"):
            self.assertIn(line, done.stderr)
        self.assertTrue(any("--fresh" in call for call in self.calls()), "it goes on")

    @unittest.skipIf(os.geteuid() != 0, "needs root, to be another user")
    def test_on_a_terminal_sudo_is_started_after_a_yes_alone(self):
        self.tool("bin/dpkg-query", DPKG_QUERY)
        refused = self.quickstart(user=self.NOBODY, terminal="\n")
        self.assertEqual(self.installs(), [])
        self.assertIn("install with sudo: g++ cmake", refused.stderr)
        self.assertIn("apt: g++ cmake", refused.stderr)
        shutil.rmtree(self.path("checkout/build"))
        self.quickstart(user=self.NOBODY, terminal="y\n")
        self.assertTrue(any(call.startswith("sudo env DEBIAN_FRONTEND") for call in self.installs()), self.calls())

    def test_where_there_is_no_dpkg_the_names_of_others_are_told(self):
        self.tool("bin/rpm", RPM)
        done = self.quickstart()
        self.assertEqual(self.installs(), [])
        self.assertRegex(done.stderr, "dnf: gcc-c\\+\\+ make openmpi-devel openmpi hdf5-openmpi-devel")
        self.assertNotRegex(done.stderr, "dnf:.* git")


if __name__ == "__main__":
    unittest.main()
