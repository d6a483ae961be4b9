// Thirteen cards: they are lifted by a tap, and go where a row is tapped. The last row fills itself.

"use strict";

const ROWS = ["front", "middle", "back"];

function put(place, row) {
  place.querySelector(`[type=radio][value="${row}"]`).checked = true;
  place.querySelector(".lifted").checked = false;
}

const rowOf = (place) => place.querySelector("[type=radio]:checked").value;

function move(head) {
  const all = [...document.querySelectorAll("#arrange .place")];
  for (const place of all) {
    if (place.querySelector(".lifted").checked) put(place, head.dataset.row);
  }
  const sizes = { front: 3, middle: 5, back: 5 };
  const open = ROWS.filter((row) => all.filter((place) => rowOf(place) === row).length < sizes[row]);
  const rest = all.filter((place) => rowOf(place) === "");
  if (head.dataset.row && open.length === 1) {
    const taken = all.filter((place) => rowOf(place) === open[0]).length;
    if (rest.length === sizes[open[0]] - taken) rest.forEach((place) => put(place, open[0]));
  }
  countRows();
  nameRows();
}

function countRows() {
  for (const button of document.querySelectorAll("#arrange [data-row]")) {
    const { row, size } = button.dataset;
    const held = document.querySelectorAll(`#arrange [type=radio][value="${row}"]:checked`).length;
    button.querySelector(".count").textContent = row ? `${held} / ${size}` : String(held);
  }
}

// What the rows are called is the server's to say; it is asked once for each arrangement.
let named = "";

async function nameRows() {
  const arrange = document.getElementById("arrange");
  const form = document.getElementById("act-arrange");
  if (!arrange || !form) return;
  const placed = [...new FormData(form)].filter(([name, row]) => name.startsWith("place-") && row);
  const asked = String(new URLSearchParams(placed));
  if (asked === named) return;
  named = asked;
  const answer = await send(arrange.dataset.rows, placed);
  if (!answer.ok || asked !== named) return;
  const told = await answer.json();
  for (const button of arrange.querySelectorAll("[data-row]")) {
    button.querySelector(".rank").textContent = told[button.dataset.row] || "";
  }
  document.getElementById("foul").textContent = told.foul || "";
}

document.addEventListener("click", (event) => {
  const head = event.target.closest("#arrange [data-row]");
  if (head) move(head);
});

function showRows() {
  countRows();
  nameRows();
}

document.addEventListener("table", showRows);
