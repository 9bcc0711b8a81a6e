# Pins how a library comes out of a Python package: from the index that pip is configured for, with its hash checked
# before anything is unpacked, and nothing of it run.
import hashlib
import http.server
import io
import os
import pathlib
import subprocess
import tarfile
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
  set(sha256_highspy-1.16.0.tar.gz ${HASH})
endif()
memstencil_library_from_registry(CLI11 CLI11 source)
message("source: '${source}'")
"""


def archive():
    """As the package's."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, text in (("extern/cli11/CLI11.hpp", "#pragma once\n"), ("setup.py", "raise SystemExit\n")):
            member = tarfile.TarInfo("highspy-1.16.0/" + name)
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
    return out.getvalue()


class Registry(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="memstencil-registry-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.deps = self.folder / ".deps"
        (self.folder / "script.cmake").write_text(SCRIPT)
        self.served, self.asked = archive(), []
        test = self

        class Index(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                test.asked.append(self.path)
                page = b'<a href="../../files/highspy-1.16.0.tar.gz#sha256=0">highspy-1.16.0.tar.gz</a>'
                self.send_response(200)
                self.end_headers()
                self.wfile.write(test.served if self.path.endswith(".gz") else page)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Index)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def source(self, sha256=""):
        index = f"http://127.0.0.1:{self.server.server_port}/simple/"
        done = subprocess.run([CMAKE, f"-DMODULE={MODULE}", f"-DFOLDER={self.folder}", f"-DHASH={sha256}", "-P",
                               self.folder / "script.cmake"], env=os.environ | {"PIP_INDEX_URL": index, "no_proxy": "*"},
                              capture_output=True, text=True, check=False)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr.split("source: ")[1].strip().strip("'")

    def test_an_archive_of_another_hash_is_removed_and_not_unpacked(self):
        self.assertEqual(self.source(), "")
        self.assertEqual(self.asked[0], "/simple/highspy/")
        self.assertEqual(len(self.asked), 2)
        self.assertEqual(os.listdir(self.deps), ["lock"])

    def test_the_right_one_gives_a_folder_for_cmake_and_is_asked_for_once(self):
        sha256 = hashlib.sha256(self.served).hexdigest()
        for _ in range(2):
            self.assertEqual(self.source(sha256), str(self.deps / "registry-CLI11"))
        self.assertEqual(len(self.asked), 2)
        got = {str(path.relative_to(self.deps / "registry-CLI11")) for path in (self.deps / "registry-CLI11").rglob("*.*")}
        self.assertEqual(got, {"CMakeLists.txt", "include/CLI11.hpp", "include/CLI/CLI.hpp"})
        self.assertEqual(sorted(os.listdir(self.deps)), ["highspy-1.16.0.tar.gz", "lock", "registry-CLI11"])


if __name__ == "__main__":
    unittest.main()
