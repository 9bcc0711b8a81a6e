# A bundle that lacks Kokkos is refused where it is made: it would build on no machine without a network.
import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["MEMSTENCIL_SOURCE"])


class Bundle(unittest.TestCase):
    def test_is_not_made_without_kokkos(self):
        with tempfile.TemporaryDirectory() as folder:
            git = [os.environ["GIT"], "-C", folder, "-c", "user.name=t", "-c", "user.email=t@t"]
            subprocess.run([*git, "init", "--quiet"], check=True)
            subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", "first"], check=True)
            done = subprocess.run(
                [os.environ["CMAKE"], f"-DSOURCE={folder}", f"-DSTAGE={folder}/stage", "-DVERSION=1", "-DLIBRARIES=",
                 f"-DARCHIVE={folder}/bundle.tar.gz", "-P", SOURCE / "cmake/Bundle.cmake"],
                capture_output=True, text=True, check=False,
            )
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("a bundle without Kokkos builds nowhere", " ".join(done.stderr.split()))
            self.assertFalse(os.path.exists(f"{folder}/bundle.tar.gz"))


if __name__ == "__main__":
    unittest.main()
