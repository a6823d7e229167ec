/* Picks among curves that were worked out when the page was made; computes nothing but where a number is drawn. */
"use strict";
let config = null;
let curves = null;
const field = (name) => document.getElementById(name);
const loaded = {};

function recordsChooser(data) {
  config = data;
  const asked = new URLSearchParams(location.search);
  for (const name of ["accelerator", "model"]) {
    const value = asked.get(name);
    if (value !== null && [...field(name).options].some((one) => one.value === value)) field(name).value = value;
  }
  field("chooser").addEventListener("change", fetchCurves);
  field("chooser").addEventListener("submit", (event) => event.preventDefault());
  fetchCurves();
}

function recordsCurves(data) {
  curves = data;
}

function fetchCurves() {
  const key = `${field("accelerator").value}|${field("model").value}`;
  const file = config.files[key];
  if (!file) {
    field("said").textContent = "This pair cannot be worked out: a record lacks a value that the forms need.";
    field("curves").classList.add("empty");
    return;
  }
  if (loaded[key]) {
    curves = loaded[key];
    show();
    return;
  }
  const script = document.createElement("script");
  script.src = file;
  script.onload = () => {
    loaded[key] = curves;
    script.remove();
    show();
  };
  script.onerror = () => { field("said").textContent = "The curves could not be loaded."; };
  document.head.append(script);
}

function show() {
  const [k, alpha, context] = ["k", "alpha", "context"].map((name) => Number(field(name).value));
  const lines = config.lengths.map((_, i) => curves[i][alpha][context].map((value) => value / 1000));
  field("curves").classList.remove("empty");
  field("curves").querySelectorAll(".curve").forEach((path, i) => {
    const at = (value) => (config.zero - config.unit * Math.min(value, config.top)).toFixed(1);
    path.setAttribute("d", "M" + lines[i].map((value, j) => `${config.x[j]} ${at(value)}`).join("L"));
    path.classList.toggle("chosen", i === k);
  });
  const rows = field("numbers").tBodies[0].rows;
  config.batches.forEach((_, j) => {
    let best = 0;
    lines.forEach((line, i) => { if (line[j] > lines[best][j]) best = i; });
    const cells = rows[j].cells;
    rows[j].classList.toggle("loses", lines[k][j] < 1);
    cells[1].textContent = lines[k][j].toFixed(3);
    cells[2].textContent = config.lengths[best];
    cells[3].textContent = lines[best][j].toFixed(3);
  });
  const lost = config.batches.find((_, j) => lines[k][j] < 1);
  field("said").textContent = lost
    ? `With k = ${config.lengths[k]} speculation loses at batch ${lost} of those shown.`
    : `With k = ${config.lengths[k]} speculation gains at every batch shown.`;
}
