// The chat beside a table: it stays at its newest line, and says how many were said unseen.

"use strict";

{
  const news = byId("chat-news");
  const lines = () => byId("chat-lines");
  let last = 0;
  let unseen = 0;

  function tellNews(count) {
    unseen = count;
    news.hidden = !count;
    news.textContent = count;
    news.ariaLabel = `${count} ${news.dataset.words}`;
  }

  function read() {
    const newest = Number(lines()?.dataset.last);
    if (!(newest > last)) return;
    const isNews = (line) => line.id.slice(5) > last && !line.classList.contains("mine");
    if (last && !lines().checkVisibility()) tellNews(unseen + every("li", lines()).filter(isNews).length);
    last = newest;
    lines().scrollTo(0, 1e6);
  }

  on("htmx:afterSettle", ({ target }) => target.id === "chat" && read());
  byId("panel-chat").addEventListener("toggle", ({ newState }) => {
    if (newState !== "open") return;
    tellNews(0);
    lines()?.scrollTo(0, 1e6);
  });
}
