// The chat beside a table: it stays at its newest line, and says how many were said unseen.

"use strict";

{
  const news = byId("chat-news");
  const lines = () => byId("chat-lines");
  let last = 0;
  let unseen = 0;

  function tellNews() {
    news.hidden = unseen === 0;
    news.textContent = unseen;
    news.ariaLabel = `${unseen} ${news.dataset.words}`;
  }

  function read() {
    const newest = Number(lines()?.dataset.last);
    if (!(newest > last)) return;
    const isNews = (line) => line.id.slice(5) > last && !line.classList.contains("mine");
    if (last && !lines().checkVisibility()) unseen += [...lines().children].filter(isNews).length;
    last = newest;
    lines().scrollTop = lines().scrollHeight;
    tellNews();
  }

  on("htmx:afterSettle", ({ target }) => target.id === "chat" && read());
  byId("panel-chat").addEventListener("toggle", ({ newState }) => {
    if (newState !== "open") return;
    unseen = 0;
    tellNews();
    lines()?.scrollTo(0, 1e6);
  });
}
