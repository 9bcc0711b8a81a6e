# The HTML report in a real browser: it loads without errors, shows every plot, asks for nothing
# from elsewhere, folds, sorts, and fits a phone.
import html
import json
import os
import shutil
import subprocess
import sys
import unittest

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))),
    None,
)
if BROWSER is None:
    print("skipped: there is no Chromium (Debian: chromium)")
    sys.exit(77)
try:
    import h5py  # noqa: F401  (synthetic needs it)
    import matplotlib  # noqa: F401
except ImportError:
    print("skipped: this Python has no h5py and matplotlib (Debian: python3-h5py python3-matplotlib)")
    sys.exit(77)

from cli_support import CommandLine
import synthetic

# Runs in the page when it has loaded; what it finds becomes the page's title, which --dump-dom
# prints. It sorts the first long table by its first column of numbers, twice, and unfolds all as for a print.
PROBE = """<script>
const errors = [];
addEventListener("error", event =>
  errors.push(String(event.message || event.target.src).slice(0, 80)), true);
addEventListener("load", () => {
  const images = [...document.images], nav = document.querySelector("nav");
  const above = element => element.compareDocumentPosition(nav) & Node.DOCUMENT_POSITION_FOLLOWING;
  const folded = document.querySelectorAll("details:not([open])").length;
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const table = [...document.querySelectorAll("table")].find(
    each => each.closest("details") && each.tBodies[0].rows.length > 4);
  const heads = [...[...table.tHead.rows].pop().cells];
  const number = heads.findIndex(head => !head.classList.contains("text"));
  const button = heads[number].querySelector("button");
  const column = () => [...table.tBodies[0].rows].map(row => row.cells[number].textContent);
  const sorted = [0, 1].map(() => (button.click(), column()));
  dispatchEvent(new Event("beforeprint"));
  const unfolded = document.querySelectorAll("details:not([open])").length;
  const leading = images.filter(above);
  document.title = JSON.stringify({
    images: images.length, folded, unfolded, sorted, wide, errors,
    leading: leading.map(image => image.alt),
    top: leading.map(image => Math.round(image.getBoundingClientRect().top)),
    width: leading.map(image => Math.round(image.getBoundingClientRect().width)),
    broken: images.filter(image => !image.complete || image.naturalWidth < 100).map(i => i.alt),
    first: getComputedStyle(table.tBodies[0].rows[0].cells[0]).position,
    tables: [...document.querySelectorAll("table")].map(
      each => each.closest("details")?.querySelector("summary").firstChild.textContent.trim()),
    links: [...document.querySelectorAll("nav a")].filter(
      a => !document.querySelector(a.getAttribute("href"))).length,
    elsewhere: performance.getEntriesByType("resource").filter(
      entry => !entry.name.startsWith("data:")).map(entry => entry.name)});
});
</script>"""
# A window of Chromium is at least 500 pixels wide; a frame may be a phone.
PHONE = """<!DOCTYPE html><iframe src="probed.html" style="width: 400px; height: 800px"></iframe>
<script>addEventListener("load", () => setTimeout(() => {
  document.title = document.querySelector("iframe").contentDocument.title;
}, 1000));</script>"""


class ReportInABrowser(CommandLine):
    def setUp(self):
        super().setUp()
        self.good(*synthetic.two_sides(self.path), "--html", self.path("r.html"))
        with open(self.path("r.html"), encoding="utf-8") as file:
            self.html = file.read()
        self.write("probed.html", self.html.replace("<body>", "<body>" + PROBE, 1))
        self.write("phone.html", PHONE)

    def found(self, page):
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--allow-file-access-from-files",
            "--user-data-dir=" + self.path("profile"),
            "--virtual-time-budget=10000",
            "--window-size=1300,900",
            "--dump-dom",
        ]
        done = subprocess.run(
            [BROWSER, *options, "file://" + self.path(page)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            env={**os.environ, "HOME": self.folder},
        )
        start = done.stdout.find("<title>") + len("<title>")
        return json.loads(html.unescape(done.stdout[start : done.stdout.find("</title>")]))

    def test_it_shows_all_its_plots_folds_sorts_and_needs_nothing_from_elsewhere(self):
        found = self.found("probed.html")
        self.assertEqual(found["images"], self.html.count("<img "))
        self.assertGreater(found["images"], 10)
        tables = ["himeno L, 30 sweeps: the best on each number of GPUs", "Every problem by wall time", "Every case", "Seconds by part", "Each common case against the base",
                  "Scaling"]
        tables += ["Model: predicted and measured", "Probes of membench"]
        self.assertIsNone(found["tables"][0], "the answer's own is not folded")
        self.assertEqual(found["tables"][1:], tables)
        faults = [found[name] for name in ("broken", "errors", "elsewhere", "links")]
        self.assertEqual(faults, [[], [], [], 0])
        self.assertLessEqual(found["wide"], 0, "the page itself must not scroll sideways")
        self.three_plots_stand_first_and_the_rest_is_folded_until_it_is_printed(found)
        self.a_column_is_sorted_by_its_heading(*found["sorted"])

    def three_plots_stand_first_and_the_rest_is_folded_until_it_is_printed(self, found):
        self.assertEqual(len(found["leading"]), 3)
        self.assertTrue(all("himeno XL" in title for title in found["leading"]))
        self.assertLess(max(found["top"]), 900, "plots begin on the first screen")
        self.assertGreater(found["folded"], 8)
        self.assertEqual(found["unfolded"], 0)

    def a_column_is_sorted_by_its_heading(self, rising, falling):
        numbers = [float(text) for text in rising if text]
        self.assertGreater(len(numbers), 2)
        self.assertEqual(numbers, sorted(numbers))
        full = [text for text in falling if text]
        self.assertEqual([float(text) for text in full], numbers[::-1])
        self.assertEqual(falling[: len(full)], full, "empty cells are last")

    def test_on_a_phone_plots_keep_their_size_and_the_first_column_stays(self):
        found = self.found("phone.html")
        self.assertLessEqual(found["wide"], 0)
        self.assertGreaterEqual(min(found["width"]), 360)
        self.assertEqual(found["first"], "sticky")


if __name__ == "__main__":
    unittest.main()
