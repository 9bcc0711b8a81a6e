# Every revision that a document names by seven digits is in the history, or in the list of lost ones.
import re
import subprocess
import unittest

from documents import ROOT, documents

# Letters and digits, and no part of a number (5.778637e-03) or of a longer name.
REVISION = re.compile(r"(?<![\w./-])(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7}(?![\w-]|\.\w)")
LIST = "docs/lab/README.md"


def revisions(text):
    return REVISION.findall(text)


def lost():
    """What the list names, up to the end of its first sentence."""
    text = (ROOT / LIST).read_text(encoding="utf-8")
    return set(revisions(text.split("**Lost revisions.**", 1)[1].split(":", 1)[0]))


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


class Revisions(unittest.TestCase):
    def history(self):
        try:
            whole = git("rev-parse", "--show-prefix", "--is-shallow-repository").split("\n")
            if whole[0] or whole[1] != "false":
                self.skipTest("the history is not here: a shallow clone, or a folder of another repository")
            return {line[:7] for line in git("rev-list", "HEAD").split()}
        except (OSError, subprocess.CalledProcessError):
            self.skipTest("no git, or no history")

    def test_every_revision_that_a_document_names_is_known(self):
        known = self.history() | lost()
        named = {path: revisions((ROOT / path).read_text(encoding="utf-8")) for path in documents()}
        self.assertGreater(sum(map(len, named.values())), 0)
        self.assertEqual([f"{path}: {one}" for path in named for one in named[path] if one not in known], [])

    def test_the_list_has_no_revision_that_is_there(self):
        self.assertEqual(lost() & self.history(), set())
        self.assertTrue(lost())

    def test_a_revision_is_told_from_a_number(self):
        self.assertEqual(revisions("revision 6ffcd27, (b9cf7a8): `0c7fb69`."), ["6ffcd27", "b9cf7a8", "0c7fb69"])
        self.assertEqual(revisions("Gosa 5.778637e-03, 1995392 bytes, defaced, 1a2b3c4d, a/1a2b3c4"), [])


if __name__ == "__main__":
    unittest.main()
