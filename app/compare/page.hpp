// Looks and behaviour of the HTML report: its style sheet and its script.
#pragma once

namespace memstencil::compare {

/// Three plots beside each other on a wide screen, one on a phone. Wide tables scroll under their
/// first column.
inline constexpr const char* page_style = R"css(
body { font: 15px/1.45 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 84rem;
       margin: 0 auto; padding: 0 1rem 3rem; }
h1 { font-size: 1.35rem; margin: 0.7rem 0 0.4rem; }
h2 { font-size: 1.15rem; border-bottom: 1px solid #999; margin: 1.6rem 0 0.5rem; }
h1, h2, p, li, summary { overflow-wrap: anywhere; }
p { margin: 0.4rem 0; max-width: 62rem; }
section h2 { font-size: 1.05rem; border: 0; margin: 0.8rem 0 0.2rem; }
.beside { display: grid; gap: 0 2rem; align-items: start;
          grid-template-columns: repeat(auto-fit, minmax(min(100%, 36rem), 1fr)); }
.beside > div { min-width: 0; }
section td.text:first-child { min-width: 6rem; } section td.text:last-child { width: 70%; }
section td.text:not(:first-child):not(:last-child) { white-space: nowrap; }
details td.text:last-child { min-width: 16rem; }
section th { white-space: nowrap; } section table { font-size: 0.82rem; line-height: 1.3; }
nav { margin-top: 1rem; } nav a { margin-right: 1.2em; }
small, .note, figcaption { font-size: 0.85rem; color: #444; }
details { margin: 0.3rem 0; } summary { cursor: pointer; padding: 0.15rem 0; }
.plots { display: grid; gap: 0.8rem 1.4rem; align-items: start; margin: 0.6rem 0;
         grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); }
.plots > figure:only-child { grid-column: 1 / -1; }
.plots > figure:only-child img { max-width: 44rem; }
figure { margin: 0; } figure img { width: 100%; max-width: 38rem; height: auto; }
.wide { overflow-x: auto; margin: 0.3rem 0; }
table { border-collapse: separate; border-spacing: 0; font-size: 0.87rem; }
th, td { padding: 0.2rem 0.45rem; border-bottom: 1px solid #ddd; text-align: right;
         white-space: nowrap; }
th { border-bottom: 2px solid #666; white-space: normal; vertical-align: bottom; }
.groups th { border-bottom: 0; text-align: left; padding-bottom: 0; }
th.text, td.text { text-align: left; }
td.text { white-space: normal; min-width: 6rem; } td.text:first-child { min-width: 13rem; }
th:first-child, td:first-child { position: sticky; left: 0; z-index: 1; background: #fff; }
tbody tr:hover td { background: #f0f4f8; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer;
            text-align: inherit; }
th button:hover { text-decoration: underline; }
th[aria-sort=ascending] button::after { content: " \25B2"; }
th[aria-sort=descending] button::after { content: " \25BC"; }
/* The answer leaves the first screen's greater part to the plots. */
@media screen and (min-width: 1000px) {
  h1 { font-size: 1.2rem; margin: 0.4rem 0 0.1rem; }
  h1 + section { display: flex; flex-wrap: wrap; gap: 0 1.4rem; align-items: baseline; }
  h1 + section h2, h1 + section p { margin: 0; font-size: 0.9rem; }
  h1 ~ section h2 { margin-top: 0.4rem; }
  .beside p { font-size: 0.85rem; margin: 0.1rem 0; line-height: 1.25; }
  section table { font-size: 0.75rem; line-height: 1.2; }
  section th, section td { padding: 0.1rem 0.35rem; }
  section td.text:first-child { white-space: nowrap; }
}
@media (max-width: 600px) {
  body { padding: 0 0.6rem 2rem; }
  table { font-size: 0.8rem; }
  td.text:first-child { min-width: 8rem; max-width: 45vw; }
  th, td { padding: 0.15rem 0.25rem; } section td.text:first-child { min-width: 4.5rem; }
}
@media print {
  nav { display: none; }
  body { max-width: none; font-size: 9pt; }
  figure, tr { break-inside: avoid; }
  .plots { grid-template-columns: 1fr 1fr; }
  .wide { overflow: visible; }
  table { font-size: 6.5pt; } th, td, td.text:first-child { white-space: normal; min-width: 0; }
  th:first-child, td:first-child { position: static; }
}
)css";

/// A click on a heading sorts by its column, a second one the other way round, empty cells last.
/// All is unfolded to be printed.
inline constexpr const char* page_script = R"js(
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    button.title = "sort by this column";
    head.append(button);
    button.onclick = () => {
      const way = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", way === 1 ? "ascending" : "descending");
      const text = row => row.cells[column].textContent;
      const compared = head.classList.contains("text")
        ? (a, b) => text(a).localeCompare(text(b), "en", {numeric: true})
        : (a, b) => parseFloat(text(a)) - parseFloat(text(b));
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => !text(a) - !text(b) || way * compared(a, b));
      table.tBodies[0].append(...rows);
    };
  });
}
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  closed.forEach(each => each.open = true);
});
addEventListener("afterprint", () => closed.forEach(each => each.open = false));
)js";

}  // namespace memstencil::compare
