/* Conveniences only; every page works without. */
"use strict";
// A tap or click on a number shows its derivation in place instead of travelling to it.
document.addEventListener("click", (event) => {
  const number = event.target.closest && event.target.closest("a.num");
  if (number && CSS.supports("selector(:has(a))")) {
    event.preventDefault();
    number.focus();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && document.activeElement && document.activeElement.matches("a.num, .tip *")) {
    document.activeElement.blur();
  }
});
// A claim that is linked to opens.
function open() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target && target.matches("details")) target.open = true;
}
addEventListener("hashchange", open);
open();
// In the picture of what rests on what, a name lights up its curves.
for (const name of document.querySelectorAll(".graph a")) {
  const graph = name.closest(".graph");
  const light = (on) => {
    graph.classList.toggle("lit", on);
    const near = new Set([name.dataset.n]);
    for (const path of graph.querySelectorAll("path")) {
      const ends = path.dataset.e.split(" ");
      const mine = on && ends.includes(name.dataset.n);
      path.classList.toggle("on", mine);
      if (mine) ends.forEach((end) => near.add(end));
    }
    for (const other of graph.querySelectorAll("a")) other.classList.toggle("on", on && near.has(other.dataset.n));
  };
  for (const [event, on] of [["mouseenter", true], ["mouseleave", false], ["focus", true], ["blur", false]]) {
    name.addEventListener(event, () => light(on));
  }
}
