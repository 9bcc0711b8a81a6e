# Pins how Kokkos' archive comes out of a Python registry: from the index that pip is configured for, with its hash
# checked, and nothing of it unpacked or run.
import hashlib
import http.server
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

CMAKE = os.environ["CMAKE"]
MODULE = pathlib.Path(__file__).resolve().parents[2] / "cmake/Registry.cmake"
SCRIPT = """
cmake_minimum_required(VERSION 3.25)
set(PROJECT_SOURCE_DIR ${FOLDER})
include(${MODULE})
if(HASH)
  set(sha256_pygenten-0.1.5.tar.gz ${HASH})
endif()
file(MAKE_DIRECTORY ${FOLDER}/.deps)
memstencil_download_from_registry(pygenten-0.1.5.tar.gz found)
message("found: ${found}")
"""
ARCHIVE = b"bytes of an archive"


class Registry(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="memstencil-registry-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.deps = self.folder / ".deps"
        (self.folder / "script.cmake").write_text(SCRIPT)
        self.asked = []
        test = self

        class Index(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                test.asked.append(self.path)
                page = b'<a href="../../files/pygenten-0.1.5.tar.gz#sha256=0">pygenten-0.1.5.tar.gz</a>'
                self.send_response(200)
                self.end_headers()
                self.wfile.write(ARCHIVE if self.path.endswith(".gz") else page)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def found(self, sha256=""):
        index = f"http://127.0.0.1:{self.server.server_port}/simple/"
        done = subprocess.run([CMAKE, f"-DMODULE={MODULE}", f"-DFOLDER={self.folder}", f"-DHASH={sha256}", "-P",
                               self.folder / "script.cmake"], env=os.environ | {"PIP_INDEX_URL": index, "no_proxy": "*"},
                              capture_output=True, text=True, check=False)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr.split("found: ")[1].strip()

    def test_an_archive_of_another_hash_is_removed(self):
        self.assertEqual(self.found(), "OFF")
        self.assertEqual(self.asked, ["/simple/pygenten/", "/files/pygenten-0.1.5.tar.gz"])
        self.assertEqual(os.listdir(self.deps), [])

    def test_the_right_one_is_kept_as_it_came(self):
        self.assertEqual(self.found(hashlib.sha256(ARCHIVE).hexdigest()), "ON")
        self.assertEqual([path.name for path in self.deps.iterdir()], ["pygenten-0.1.5.tar.gz"])
        self.assertEqual((self.deps / "pygenten-0.1.5.tar.gz").read_bytes(), ARCHIVE)


if __name__ == "__main__":
    unittest.main()
