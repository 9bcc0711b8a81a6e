# The HTML report in a real browser: it loads without errors, shows every plot, asks for nothing
# from elsewhere, folds, fits a phone and few sheets of paper.
import html
import json
import os
import re
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
    import matplotlib  # noqa: F401
except ImportError:
    print("skipped: this Python has no matplotlib (Debian: python3-matplotlib)")
    sys.exit(77)

from cli_support import CommandLine

SAMPLES = os.path.join(os.environ["MEMSTENCIL_INPUTS"], "reference/samples")

# Runs in the page when it has loaded; what it finds becomes the page's title, which --dump-dom prints.
PROBE = """<script>
const errors = [];
addEventListener("error", event =>
  errors.push(String(event.message || event.target.src).slice(0, 80)), true);
addEventListener("load", () => {
  const images = [...document.images], folds = [...document.querySelectorAll("details")];
  const folded = folds.filter(each => !each.open).length;
  const leading = images.filter(image => !image.closest("details"));
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const cells = [...document.querySelectorAll("section table td")].filter(cell => cell.offsetWidth > 0);
  const outside = cells.filter(cell => cell.getBoundingClientRect().right > document.documentElement.clientWidth + 1);
  folds.forEach(each => each.open = true);
  document.title = JSON.stringify({
    images: images.length, folded, wide, errors, cells: cells.length, outside: outside.length,
    leading: leading.map(image => image.alt),
    above: leading[0].compareDocumentPosition(document.querySelector("section table")) & 4,
    width: leading.map(image => Math.round(image.getBoundingClientRect().width)),
    broken: images.filter(image => !image.complete || image.naturalWidth < 100).map(i => i.alt),
    titles: cells.filter(cell => !cell.title).length,
    tables: [...document.querySelectorAll("table")].map(
      each => each.closest("details")?.querySelector("summary").firstChild.textContent.trim()),
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
    def browser(self, page, *more):
        options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--allow-file-access-from-files",
            "--user-data-dir=" + self.path("profile"),
            "--virtual-time-budget=10000",
            "--window-size=1300,900",
        ]
        done = subprocess.run(
            [BROWSER, *options, *more, "file://" + self.path(page)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            env={**os.environ, "HOME": self.folder},
        )
        return done.stdout

    def found(self, page):
        told = self.browser(page, "--dump-dom")
        start = told.find("<title>") + len("<title>")
        return json.loads(html.unescape(told[start : told.find("</title>")]))

    def test_it_shows_all_its_plots_folds_and_needs_nothing_from_elsewhere_on_screens_phones_and_paper(self):
        self.good(*(os.path.join(SAMPLES, side) for side in ("h100-x2", "h200")), "--html", self.path("r.html"))
        with open(self.path("r.html"), encoding="utf-8") as file:
            page = file.read()
        self.write("probed.html", page.replace("<body>", "<body>" + PROBE, 1))
        self.write("phone.html", PHONE)
        found = self.found("probed.html")
        self.assertEqual(found["images"], page.count("<img "))
        self.assertGreater(found["images"], 10)
        self.assertIsNone(found["tables"][0], "the answer's own is not folded")
        self.assertIn("Every case", found["tables"])
        self.assertEqual([found[name] for name in ("broken", "errors", "elsewhere")], [[], [], []])
        self.assertLessEqual(found["wide"], 0, "the page itself must not scroll sideways")
        self.assertEqual(found["above"], 0, "the screen's table stands above all plots")
        self.assertIn(len(found["leading"]), range(3, 9))
        self.assertGreater(found["folded"], 8)

        found = self.found("phone.html")
        self.assertLessEqual(found["wide"], 0)
        self.assertGreaterEqual(min(found["width"]), 360)
        self.assertGreater(found["cells"], 10)
        self.assertEqual((found["outside"], found["titles"]), (0, 0))

        self.browser("r.html", "--print-to-pdf=" + self.path("r.pdf"))
        with open(self.path("r.pdf"), "rb") as file:
            pages = len(re.findall(rb"/Type\s*/Page\b", file.read()))
        self.assertIn(pages, range(1, 13))


if __name__ == "__main__":
    unittest.main()
