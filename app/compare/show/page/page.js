// A click on a heading sorts by its column, a second one the other way round, empty cells last. All is unfolded to be printed.
for (const table of document.querySelectorAll("table")) {
  const heads = [...table.tHead.rows[0].cells];
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
