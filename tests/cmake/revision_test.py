# Which revision a build says it is of.
import os
import re
import subprocess
import tempfile
import unittest

ROOT, CMAKE, GIT = (os.environ[name] for name in ("MEMSTENCIL_SOURCE", "CMAKE", "GIT"))


class Revision(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="memstencil-revision-")
        self.addCleanup(folder.cleanup)
        self.top = os.path.join(folder.name, "top")
        self.sources = os.path.join(self.top, "sources")
        os.makedirs(self.sources)
        self.write("1\n")

    def write(self, text):
        with open(os.path.join(self.sources, "file"), "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, *arguments):
        # Nothing but these folders may decide: no settings of a user, and no repository that a hook runs in.
        clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        environment = clean | {"HOME": self.top, "GIT_CONFIG_NOSYSTEM": "1"}
        identity = ["-c", "user.name=nobody", "-c", "user.email=nobody@localhost"]
        command = [GIT, "-C", self.top, *identity, *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()

    def committed(self):
        self.git("init")
        self.git("add", ".")
        self.git("commit", "-m", "all")
        return self.git("rev-parse", "--short=12", "HEAD")

    def revision_of(self, sources):
        """As the build writes it."""
        header = os.path.join(os.path.dirname(self.top), "version.hpp")
        script = os.path.join(ROOT, "cmake")
        subprocess.run(
            [
                CMAKE,
                f"-DSOURCE={sources}",
                f"-DTEMPLATE={script}/version.hpp.in",
                f"-DHEADER={header}",
                "-P",
                f"{script}/WriteVersion.cmake",
            ],
            check=True,
        )
        with open(header, encoding="utf-8") as file:
            return re.search(r'git_revision = "(.*)"', file.read()).group(1)

    def test_a_checkout_has_its_own(self):
        revision = self.committed()
        self.assertEqual(self.revision_of(self.top), revision)
        self.write("2\n")
        self.assertEqual(self.revision_of(self.top), revision + "-dirty")

    def test_sources_inside_another_repository_have_none(self):
        self.committed()
        self.assertEqual(self.revision_of(self.sources), "unknown")

    def test_sources_outside_of_any_repository_have_none(self):
        self.assertEqual(self.revision_of(self.sources), "unknown")


if __name__ == "__main__":
    unittest.main()
