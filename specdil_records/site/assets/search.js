/* A search over the index that was made with the pages. */
"use strict";
let rows = [];
const box = document.getElementById("words");
const KINDS = {flop: "record", accelerator: "accelerator", model: "model", source: "source"};

function recordsIndex(data) {
  rows = data.map((row) => ({name: row[0], page: row[1], kind: row[2], id: row[3], summary: row[4],
    head: `${row[0]} ${row[3]}`.toLowerCase(), body: row[5].toLowerCase(), text: row[5]}));
  search();
}

function search() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const list = document.getElementById("results");
  const count = document.getElementById("count");
  list.replaceChildren();
  if (!words.length) {
    count.textContent = "";
    return;
  }
  const hits = [];
  for (const row of rows) {
    let score = 0;
    for (const word of words) {
      const head = row.head.includes(word) ? (row.head.startsWith(word) ? 12 : 8) : 0;
      const body = row.body.includes(word) ? 1 : 0;
      if (!head && !body) { score = 0; break; }
      score += head + body;
    }
    if (score) hits.push([score + (row.kind === "flop" ? 2 : 0), row]);
  }
  hits.sort((a, b) => b[0] - a[0] || a[1].name.localeCompare(b[1].name));
  count.textContent = hits.length === 1 ? "1 page found" : `${hits.length} pages found`;
  for (const [, row] of hits.slice(0, 50)) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = row.page;
    link.textContent = row.name;
    const kind = document.createElement("span");
    kind.className = "small";
    kind.textContent = ` ${KINDS[row.kind] || ""}`;
    const about = document.createElement("p");
    about.className = "small";
    about.textContent = excerpt(row, words[0]);
    item.append(link, kind, about);
    list.append(item);
  }
}

function excerpt(row, word) {
  const at = row.body.indexOf(word);
  if (at < 0) return row.summary || row.id;
  const start = Math.max(0, at - 70);
  return (start ? "…" : "") + row.text.slice(start, at + 130) + (at + 130 < row.text.length ? "…" : "");
}

box.value = new URLSearchParams(location.search).get("q") || "";
box.addEventListener("input", search);
document.getElementById("searching").addEventListener("submit", (event) => {
  event.preventDefault();
  search();
});
const index = document.createElement("script");
index.src = "assets/search-index.js";
document.head.append(index);
box.focus();
