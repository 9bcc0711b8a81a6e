# The HTML report in a real browser: it loads without errors, shows every plot, and asks for nothing from elsewhere.
import json
import os
import shutil
import subprocess
import sys
import unittest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
if BROWSER is None:
    print("skipped: there is no Chromium (Debian: chromium)")
    sys.exit(77)
try:
    import h5py  # noqa: F401
    import matplotlib  # noqa: F401
except ImportError:
    print("skipped: this Python has no h5py and matplotlib (Debian: python3-h5py python3-matplotlib)")
    sys.exit(77)

from cli_support import CommandLine
import synthetic

# Runs in the page when it has loaded; what it finds becomes the page's title, which --dump-dom prints.
PROBE = """<script>
const errors = [];
addEventListener("error", event => errors.push(String(event.message || event.target.src).slice(0, 80)), true);
addEventListener("load", () => {
  const images = [...document.images];
  document.title = JSON.stringify({
    images: images.length,
    broken: images.filter(image => !image.complete || image.naturalWidth < 100).map(image => image.alt),
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    tables: document.querySelectorAll("table").length,
    links: [...document.querySelectorAll("nav a")].filter(a => !document.querySelector(a.getAttribute("href"))).length,
    elsewhere: performance.getEntriesByType("resource").filter(entry => !entry.name.startsWith("data:")).map(entry => entry.name),
    errors});
});
</script>"""


class ReportInABrowser(CommandLine):
    def test_it_shows_all_its_plots_and_needs_nothing_from_elsewhere(self):
        files = [
            synthetic.write_file(self.path("one.h5"), synthetic.whole(synthetic.ONE, 1.0)),
            synthetic.write_file(self.path("other.h5"), synthetic.whole(synthetic.OTHER, 2.0)),
        ]
        self.good(*files, "--html", self.path("r.html"))
        with open(self.path("r.html"), encoding="utf-8") as file:
            html = file.read()
        self.write("probed.html", html.replace("<body>", "<body>" + PROBE, 1))
        done = subprocess.run(
            [
                BROWSER,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--user-data-dir=" + self.path("profile"),
                "--virtual-time-budget=10000",
                "--window-size=1200,900",
                "--dump-dom",
                "file://" + self.path("probed.html"),
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            env={**os.environ, "HOME": self.folder},
        )
        start = done.stdout.find("<title>") + len("<title>")
        found = json.loads(done.stdout[start : done.stdout.find("</title>")])
        self.assertEqual(found["images"], html.count("<img "))
        self.assertGreater(found["images"], 10)
        self.assertGreater(found["tables"], 10)
        self.assertEqual((found["broken"], found["errors"], found["elsewhere"], found["links"]), ([], [], [], 0))
        self.assertLessEqual(found["wide"], 0, "the page itself must not scroll sideways")


if __name__ == "__main__":
    unittest.main()
