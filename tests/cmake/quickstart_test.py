# Pins what quickstart does where the system's CMake is too old: it gets a newer one, says so, and uses it. And where
# packages are missing: root installs them, others are asked on a terminal, and otherwise read the names. And that a first
# run waits for the end of the build's load.
import os
import pathlib
import pty
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOBODY = 65534
as_root = unittest.skipIf(os.geteuid() != 0, "needs root")

# No dpkg and no apt-get: nothing of this machine is looked at or installed.
OF_THE_SYSTEM = """bash sed awk sort paste head tail env nproc mkdir cp rm cat flock timeout dirname grep tr touch cut""".split()
SAYS_ITS_CALL = """echo "${0##*/} $*" >>"$CALLS"
[[ ${0##*/} != sudo ]] || exec "$@"
"""
# In place of PyPI's, which builds nothing, and fails at the build.
NEW_CMAKE = """[[ $1 == --version ]] && echo "cmake version 3.31.6" && exit
echo "new cmake $*" >>"$CALLS"
[[ $1 != --build ]]
"""
TOOLS = {
    "bin/cmake": "echo cmake version 3.22.1\n",
    "bin/nvidia-smi": "exit 1\n",
    "new-cmake": NEW_CMAKE,
    # python3 -m pip install --target FOLDER ...
    "bin/python3": """echo "python3 $*" >>"$CALLS"
[[ -n $NO_NETWORK ]] && echo "no network" && exit 1
while [[ $1 != --target ]]; do shift; done
mkdir -p "$2/cmake/data/bin" && cp "$FOLDER/new-cmake" "$2/cmake/data/bin/cmake"
""",
}
DPKG_QUERY = "echo 'installed git'\necho 'config-files make'\n"  # a package manager that finds git alone


class Quickstart(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="memstencil-quickstart-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.folder.chmod(0o755)
        self.checkout = self.folder / "checkout"
        for name in ("quickstart", "VERSION", "app/himeno/CMakeLists.txt"):
            (self.checkout / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.checkout / name)
        for name, text in TOOLS.items():
            self.tool(name, text)
        for tool in OF_THE_SYSTEM:
            (self.folder / "bin" / tool).symlink_to(shutil.which(tool))
        self.record = self.folder / "calls"
        self.record.touch()

    def tool(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)  # perhaps a link to the system's
        path.write_text("#!/bin/bash\n" + text)
        path.chmod(0o755)

    def quickstart(self, user=None, terminal=None, **variables):
        if user is not None:
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, user, -1, follow_symlinks=False)
        environment = {"PATH": f"{self.folder}/bin", "CALLS": str(self.record), "FOLDER": str(self.folder)}
        command = [self.checkout / "quickstart", "himeno"]
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
        return self.record.read_text().splitlines()


class OldCMake(Quickstart):
    def test_newer_one_is_got_once_and_a_build_that_fails_is_not_ready(self):
        done = self.quickstart()
        self.assertIn("no cmake >= 3.25 on PATH: getting", done.stderr)
        got, configured, built = self.calls()
        self.assertIn("pip install", got)
        self.assertIn("new cmake --fresh", configured)
        self.assertIn("new cmake --build", built)
        self.assertEqual(done.returncode, 1)
        self.assertIn("failed: the build of himeno", done.stderr)
        self.assertNotIn("ready", done.stderr)
        self.assertFalse((self.checkout / "build/built-himeno").exists())
        self.assertNotIn("PyPI", self.quickstart().stderr)
        self.assertTrue(all(call.startswith("new cmake") for call in self.calls()[3:]), self.calls())

    def test_no_network(self):
        done = self.quickstart(NO_NETWORK="1")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("load a module with cmake >= 3.25", done.stderr)


class FirstRun(Quickstart):
    @unittest.skipUnless(os.access("/proc/pressure/cpu", os.R_OK), "this kernel tells no pressure")
    def test_waits_until_the_load_of_the_build_is_over(self):
        for name in ("program", "bin/sleep"):
            self.tool(name, SAYS_ITS_CALL)
        self.tool("bin/cmake", """[[ $1 != --version ]] || { echo cmake version 3.25.1; exit; }
[[ $1 != --build ]] || { mkdir -p "$2/bin"; cp "$FOLDER/program" "$2/bin/himeno"; }\n""")
        self.tool("bin/awk", f"""[[ $* == */proc/pressure/cpu ]] || exec {shutil.which("awk")} "$@"
echo looks >>"$CALLS"; (($(grep -c looks "$CALLS") > 2))\n""")
        self.assertIn("waiting until the load of the build is over", self.quickstart().stderr)
        first = ["looks", "sleep 1", "looks", "sleep 1", "looks", "himeno "]
        self.assertEqual(self.calls(), first)
        self.quickstart()
        self.assertEqual(self.calls(), [*first, "himeno "])


class MissingPackages(Quickstart):
    def setUp(self):
        super().setUp()
        for name in ("apt-get", "sudo"):
            self.tool("bin/" + name, SAYS_ITS_CALL)

    def installs(self):
        return [call for call in self.calls() if call.startswith(("apt-get -q install", "sudo"))]

    @as_root
    def test_root_installs_what_is_missing_at_once(self):
        self.tool("bin/dpkg-query", DPKG_QUERY)
        self.quickstart()
        (install,) = self.installs()
        self.assertIn(" g++ ", install)
        self.assertIn(" make ", install)  # removed, and its settings kept
        self.assertNotIn(" git", install)

    @as_root
    def test_without_a_terminal_names_are_said_and_sudo_is_not_started(self):
        self.tool("bin/dpkg-query", DPKG_QUERY)
        done = self.quickstart(user=NOBODY)
        self.assertEqual(self.installs(), [])
        for line in ("apt: g++ cmake", "dnf: gcc-c++ cmake", "zypper: gcc-c++ cmake", "Spack: gcc cmake"):
            self.assertIn(line, done.stderr)
        self.assertTrue(any("--fresh" in call for call in self.calls()), "it goes on")

    @as_root
    def test_on_a_terminal_sudo_is_started_after_a_yes_alone(self):
        self.tool("bin/dpkg-query", DPKG_QUERY)
        refused = self.quickstart(user=NOBODY, terminal="\n")
        self.assertEqual(self.installs(), [])
        self.assertIn("install with sudo: g++ cmake", refused.stderr)
        self.assertIn("apt: g++ cmake", refused.stderr)
        shutil.rmtree(self.checkout / "build")
        self.quickstart(user=NOBODY, terminal="y\n")
        self.assertTrue(any(call.startswith("sudo env DEBIAN_FRONTEND") for call in self.installs()), self.calls())

    def test_where_there_is_no_dpkg_the_names_of_others_are_said(self):
        self.tool("bin/rpm", "printf '%s\\n' git cmake\n")
        done = self.quickstart()
        self.assertEqual(self.installs(), [])
        self.assertRegex(done.stderr, "dnf: gcc-c\\+\\+ make openmpi-devel openmpi hdf5-openmpi-devel")
        self.assertNotRegex(done.stderr, "dnf:.* git")


if __name__ == "__main__":
    unittest.main()
