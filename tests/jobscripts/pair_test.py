# pair.sh: two commands in turns, into two folders, in an order that changes.
import os
import pathlib
import subprocess
import tempfile
import unittest

PAIR = pathlib.Path(os.environ["MEMSTENCIL_SOURCE"]) / "jobscripts/pair.sh"


class Pair(unittest.TestCase):
    def run_pair(self, *arguments):
        return subprocess.run([PAIR, *arguments], cwd=self.folder, capture_output=True, text=True, check=False)

    def setUp(self):
        kept = tempfile.TemporaryDirectory(prefix="memstencil-pair-")
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)

    def test_commands_run_in_turns_into_their_folders(self):
        command = 'log() { echo "$1 $3" >>order; : >"$3$RANDOM$RANDOM.h5"; }; log'
        done = self.run_pair(f"old={command} A", f"new={command} B", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        order = (self.folder / "order").read_text(encoding="utf-8").split("\n")[:-1]
        self.assertEqual(order, ["A old/", "B new/", "B new/", "A old/", "A old/", "B new/"])
        self.assertEqual([len(list((self.folder / name).iterdir())) for name in ("old", "new")], [3, 3])
        self.assertEqual(self.run_pair(f"old={command} A", f"new={command} B", "3").returncode, 1, "the folders exist")

    def test_a_command_that_fails_ends_it_and_a_wrong_line_is_refused(self):
        self.assertNotEqual(self.run_pair("a=false", "b=true", "2").returncode, 0)
        self.assertEqual(list(self.folder.iterdir()), [])
        for words in (["a=true", "b=true"], ["a=true", "a=true", "1"], ["true", "b=true", "1"], ["c=true", "d=true", "0"]):
            self.assertEqual(self.run_pair(*words).returncode, 2, words)


if __name__ == "__main__":
    unittest.main()
