# Pins what packaging/release makes of a checkout: a commit with version and date in each place, an archive of it and
# its checksum; and that it refuses what is not ready.
import datetime
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="memstencil-release-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "packaging").mkdir()
        for name in ("packaging/release", "VERSION", "CITATION.cff"):
            shutil.copy(ROOT / name, self.folder / name)
        (self.folder / ".gitignore").write_text("release/\n")
        (self.folder / "CHANGELOG.md").write_text("# Changelog\n\n## 7.8.9 (unreleased)\n\n- All.\n\n## 7.8.8 (2020-01-01)\n")
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-q", "-m", "first")

    def git(self, *words):
        names = {f"GIT_{who}_{part}": "a@b" for who in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
        self.environment = os.environ | names
        return subprocess.run(["git", *words], cwd=self.folder, env=self.environment, capture_output=True, text=True,
                              check=True).stdout  # fmt: skip

    def release(self, *words):
        return subprocess.run(["packaging/release", *words], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, check=False)  # fmt: skip

    def test_has_version_and_date_in_every_place_and_an_archive_with_its_checksum(self):
        done = self.release("7.8.9")
        self.assertEqual(done.returncode, 0, done.stderr)
        citation = (self.folder / "CITATION.cff").read_text()
        (date,) = re.findall('^date-released: "(.*)"$', citation, re.M)
        self.assertLess(abs(datetime.date.today() - datetime.date.fromisoformat(date)).days, 2)
        self.assertIn("\nversion: 7.8.9\n", citation)
        self.assertEqual((self.folder / "VERSION").read_text(), "7.8.9\n")
        self.assertIn(f"## 7.8.9 ({date})\n", (self.folder / "CHANGELOG.md").read_text())
        self.assertEqual(self.git("status", "--porcelain"), "")
        archive = self.folder / "release/memstencil-7.8.9.tar.gz"
        sum_and_name = (self.folder / f"release/{archive.name}.sha256").read_text().split()
        self.assertEqual(sum_and_name, [hashlib.sha256(archive.read_bytes()).hexdigest(), archive.name])
        with tarfile.open(archive) as tar:
            self.assertEqual(tar.extractfile("memstencil-7.8.9/VERSION").read(), b"7.8.9\n")
        self.assertEqual(self.git("tag"), "")

    def test_that_is_not_ready_is_refused_and_changes_nothing(self):
        head = self.git("rev-parse", "HEAD")
        for version, why in (("7.8", "MAJOR.MINOR.PATCH"), ("7.9.0", "no heading '## 7.9.0 (unreleased)'")):
            done = self.release(version)
            self.assertEqual((done.returncode, why in done.stderr), (1, True), done.stderr)
        self.git("tag", "v7.8.9")
        self.assertIn("the tag v7.8.9 exists", self.release("7.8.9").stderr)
        (self.folder / "VERSION").write_text("edited\n")
        self.assertIn("edits or new files", self.release("7.8.9").stderr)
        self.assertEqual(self.git("rev-parse", "HEAD"), head)


if __name__ == "__main__":
    unittest.main()
