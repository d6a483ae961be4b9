// The chat beside a table: it stays at its newest line, says how many were said unseen, and shows
// each at the seat of its speaker.

import { byId, every, on } from "../casino/dom.js";
import { showBubble } from "./bubbles.js";

const news = byId("chat-news");
const lines = () => byId("chat-lines");
// The newest line that is no news: what stood there when one came, even where nothing stood.
let last = null;
let unseen = 0;

function showNews(count) {
  unseen = count;
  news.hidden = !count;
  news.textContent = count;
  news.ariaLabel = `${count} ${news.dataset.words}`;
}

function read() {
  const newest = Number(lines()?.dataset.last);
  if (!(newest > (last ?? -1))) return;
  const said = every("p[id]", lines()).filter((line) => line.id.slice(5) > last);
  const isNews = (line) => !line.classList.contains("mine");
  if (last !== null) said.forEach(showBubble);
  if (last !== null && !lines().checkVisibility()) showNews(unseen + said.filter(isNews).length);
  last = newest;
  lines().scrollTo(0, 1e6);
}

// At some games a hand that begins or ends changes what may be said.
const live = () => byId("shoe")?.dataset.live;
let known = live();

function fetchAnew() {
  if (live() === known) return;
  known = live();
  if (lines() && "turnsQuiet" in lines().dataset) htmx.trigger("#chat", "renew");
}

on("htmx:afterSettle", ({ target }) => target.id === "chat" && read());
on("htmx:afterSettle", fetchAnew);
// Nothing is fetched before the chat is opened, or a player writes.
on("chat", ({ detail }) => (last ??= Number(detail) - 1));
byId("panel-chat").addEventListener("toggle", ({ newState }) => {
  if (newState !== "open") return;
  showNews(0);
  lines()?.scrollTo(0, 1e6);
});
