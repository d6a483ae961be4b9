// The chat beside a table: it stays at its newest line, and says how many were said unseen.

"use strict";

const chat = document.getElementById("chat");
const news = document.getElementById("chat-news");
const shownIn = () => chat.getClientRects().length > 0;
let last = 0;
let unseen = 0;

function tellNews() {
  news.hidden = unseen === 0;
  news.textContent = String(unseen);
  news.setAttribute("aria-label", `${unseen} ${news.dataset.words}`);
}

function readChat() {
  const lines = document.getElementById("chat-lines");
  if (!lines) return;
  const newest = Number(lines.dataset.last);
  if (newest > last) {
    if (last && !shownIn()) {
      unseen += [...lines.children].filter((line) => Number(line.id.slice(5)) > last && !line.classList.contains("mine")).length;
    }
    last = newest;
    lines.scrollTop = lines.scrollHeight;
  }
  tellNews();
}

document.addEventListener("htmx:afterSettle", (event) => event.target.id === "chat" && readChat());
document.getElementById("panel-chat").addEventListener("toggle", (event) => {
  if (event.newState !== "open") return;
  unseen = 0;
  readChat();
  document.getElementById("chat-lines")?.scrollTo(0, 1e6);
});
