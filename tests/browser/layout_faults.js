// The faults of a table's layout: two of its parts overlap, one is cut, or one leaves the screen.
// A part is measured by its ink: its text, or its box where that is drawn.
() => {
  // A page that is higher than its screen scrolls below the console: that is one fault, and no overlap.
  const found = [];
  const bar = document.querySelector("#moves");
  if (bar) bar.style.position = "relative";
  const after = bar && Math.round(bar.getBoundingClientRect().bottom + scrollY - innerHeight);
  // A result is read from top to bottom, where nothing is to be pressed on it.
  if (after > 1 && document.querySelector(".moves.mine, .my-cards, .spot[data-spot]"))
    found.push(`too high by ${after}`);
  const heading = document.querySelector(".event-heading")?.getBoundingClientRect();
  const frame = document.querySelector(".bar");
  if (heading?.top + scrollY < frame?.offsetHeight)
    found.push("the event's heading lies under the bar");
  // The bar of every page is as high as its lines.
  if (frame && frame.scrollHeight > frame.clientHeight + 1) found.push("the bar is too low");
  // A replay's table is in sight below its controls.
  const replayed = document
    .querySelector(".replay:not(.office-hand *) .round")
    ?.getBoundingClientRect();
  if (replayed && innerHeight - replayed.top - scrollY < 240)
    found.push(`the table lies below the screen`);
  const PARTS = {
    plate: ".place-at > .plate",
    face: ".plate .face",
    name: ".plate .who b, .box .bet > b, .chip-of, .podium li > b",
    stack: ".plate .stack-size",
    badge: ".badge",
    card: ".card",
    chips: ".pile, .disc, .bet .number",
    label:
      ".box h2, .total, .spot-name, .limits, .wins, .pays, .made, .meters :is(dt, dd), .row-head, .printed text, .sides > span, .prize, .wheel-spun p, .verdict > *",
    wheel: ".wheel",
    tray: ".bank i",
    clock: "#clock, #time-bank, .squeeze",
    message:
      "#turn, .outcome, .result, .refused, .reading, .spoken, .deciding, #board .note, .feats li",
    button: "button, a.button, summary, .tools button",
    frame:
      ".bar :is(nav a, .brand span, .name span, .session a > *, .balance), .running-seats a > *, .running-pools li, .running-button > *, .lost-seats .message span",
    tile: ".tile :is(h3, p, .kinds a)",
    panel:
      ".floor :is(h2, dt, dd, li > span, li > small), .hand-panels h2, .one-line > :is(:nth-child(2), :nth-child(3))",
  };
  const text = new Set(["name", "stack", "label", "clock", "message", "frame", "tile", "panel"]);
  // What has an edge of its own, within which its words stay.
  const edged = new Set(["button", "badge", "chips"]);
  const EDGE = 1.5;
  // A sum with an edge of its own, over the lower edge of its spot; a name that says by its dots that
  // it is longer.
  const SHORT = ".spot .pile b, .stake-of .pile b, .menu-button .name";
  // What cards count or bring stands over their lower edge, below their index and suit.
  const counted = (a, b) =>
    a.kind === "card" &&
    b.one.closest(".total, .net, .dealer > b, .coup .side > b, .rows-shown .made") &&
    b.box.top > a.box.top + (a.box.bottom - a.box.top) * 0.6;
  const on = (a, b) =>
    a.one.matches(".spot") &&
    b.one.matches(".pays, .chip-of, .pile, .bet *, .at-spot *") &&
    a.one.closest(".place-of, .open-box") === b.one.closest(".place-of, .open-box");
  // A finger tells the moves of the console apart.
  const APART = 3;
  const moves = ({ one, kind }) =>
    kind === "button" && one.closest("#moves :is(.forms, .deciding)");
  // What is only heard is clipped away.
  const heard = (one) =>
    one !== document.body &&
    (getComputedStyle(one).clipPath !== "none" || heard(one.parentElement));
  const shown = (one) =>
    one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !one.closest(
      ".hidden, [hidden], .panels > :not(:popover-open), .hand-page .panel:not(.office-hand *), footer, .foot-bar, .ways-in, #lines ul, #filter",
    ) &&
    !heard(one);

  const overlap = (a, b) => [
    Math.min(a.right, b.right) - Math.max(a.left, b.left),
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
  ];
  // The lines of a text, or the box of what is drawn.
  function inks(one, kind) {
    return text.has(kind) ? lines(one) : [one.getBoundingClientRect()];
  }
  function lines(one, besides = "") {
    const found = [];
    const range = document.createRange();
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement } = walker.currentNode;
      if (!shown(parentElement) || (besides && parentElement.closest(besides))) continue;
      range.selectNodeContents(walker.currentNode);
      found.push(...range.getClientRects());
    }
    return found;
  }
  // A line that lies wholly below a part that clips is left out, where it has no room.
  const beyond = (one, line, box) =>
    (line.left < box.left - EDGE ||
      line.right > box.right + EDGE ||
      line.top < box.top - EDGE ||
      line.bottom > box.bottom + EDGE) &&
    (line.top < box.bottom - EDGE || getComputedStyle(one).overflowY === "visible");
  // What of it can be seen.
  function seen(one, box, kind) {
    let { left, top, right, bottom } = box;
    // What is placed by itself is clipped by what it is placed in.
    const around = (it) =>
      getComputedStyle(it).position === "absolute" ? it.offsetParent : it.parentElement;
    for (let up = text.has(kind) ? one : around(one); up && up !== document.body; up = around(up)) {
      const style = getComputedStyle(up);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const clip = up.getBoundingClientRect();
      if (style.overflowX !== "visible") {
        left = Math.max(left, clip.left);
        right = Math.min(right, clip.right);
      }
      if (style.overflowY !== "visible") {
        top = Math.max(top, clip.top);
        bottom = Math.min(bottom, clip.bottom);
      }
    }
    return { left, top, right, bottom };
  }
  const words = (one) => (one.textContent || one.dataset.card || "").trim().replace(/\s+/g, " ");
  const called = ({ one, kind }) => {
    const near = one.closest("[id]");
    const card = one.dataset.card || "";
    return `${kind} ${near ? "#" + near.id.replace(/\d{2,}/g, "N") : ""} "${card || words(one).slice(0, 32)}"`;
  };
  // Cards of a fan cover one another on purpose.
  const fan = (one) => one.closest(".cards, .fan, .picks, .holds, .slots, .in-hand, .coup");
  // What belongs together, and is drawn as one.
  const together = (a, b) =>
    a.one.contains(b.one) ||
    b.one.contains(a.one) ||
    (a.kind === "card" && b.kind === "card" && fan(a.one) && fan(a.one) === fan(b.one)) ||
    (a.one.closest(".printed") && b.one.closest(".printed")) ||
    counted(a, b) ||
    counted(b, a) ||
    // The whole printed spot is its button.
    on(a, b) ||
    on(b, a) ||
    // Auto-play says over the hand that it plays it.
    (a.one.closest(".my-cards") && b.one.closest(".takeover")) ||
    // The menu of my seat is a part of my plate.
    (["plate", "face"].includes(a.kind) && b.one.matches(".seat-button"));
  // Each card of a fan shows its index.
  const INDEX = 7;
  function covered(within) {
    const fans = within.querySelectorAll(".round .cards, .round .fanned");
    for (const fan of fans) {
      const lefts = [...fan.querySelectorAll(".card")].filter(shown).map((card) => {
        const { left, top } = card.getBoundingClientRect();
        return `${Math.round(left / INDEX)} ${Math.round(top / INDEX)}`;
      });
      if (new Set(lefts).size < lefts.length) found.push(`hidden cards: #${fan.id}`);
    }
  }
  // The faults of the parts that lie in the page, or in a panel that is open.
  function look(within) {
    const parts = [];
    for (const [kind, selector] of Object.entries(PARTS))
      for (const one of within.querySelectorAll(selector)) {
        if (!shown(one)) continue;
        for (const box of inks(one, kind))
          if (box.width > 2 && box.height > 2)
            parts.push({ one, kind, box, seen: seen(one, box, kind) });
      }
    for (const part of parts) {
      const { seen } = part;
      if (seen.right - seen.left < 2 || seen.bottom - seen.top < 2) part.gone = true;
      // A row that a finger moves.
      const { overflowX } = getComputedStyle(
        part.one.closest(".seats, .helps, .nexts, .feats") ?? document.body,
      );
      if (overflowX === "auto") continue;
      // In the bar and on a spot a name says by its dots that it is longer.
      const { textOverflow } = getComputedStyle(part.one);
      const dotted = part.one.matches(".box .bet > b, .chip-of, .bar *");
      if (dotted && textOverflow === "ellipsis") part.box = seen;
      const { box } = part;
      const wide = seen.left > box.left + EDGE || seen.right < box.right - EDGE;
      // A panel scrolls.
      const high =
        within === document && (seen.top > box.top + EDGE || seen.bottom < box.bottom - EDGE);
      const left = part.kind === "frame" && part.gone;
      if ((wide || high) && !left) found.push(`cut: ${called(part)}`);
      if (
        edged.has(part.kind) &&
        lines(part.one, SHORT).some((line) => beyond(part.one, line, box))
      )
        found.push(`words beyond their edge: ${called(part)}`);
      if (box.left < -EDGE || box.right > innerWidth + EDGE)
        found.push(`off the screen: ${called(part)}`);
      const felt = part.one.closest(".round")?.getBoundingClientRect();
      if (felt && (box.left < felt.left - EDGE || box.right > felt.right + EDGE))
        found.push(`off the felt: ${called(part)}`);
    }
    for (let i = 0; i < parts.length; i++)
      for (let j = i + 1; j < parts.length; j++) {
        const [a, b] = [parts[i], parts[j]];
        if (a.gone || b.gone || together(a, b)) continue;
        const [wide, high] = overlap(a.seen, b.seen);
        if (Math.min(wide, high) > -APART && moves(a) && moves(b))
          found.push(`touch: ${called(a)} and ${called(b)}`);
        if (wide > EDGE && high > EDGE)
          found.push(
            `overlap: ${called(a)} and ${called(b)} by ${Math.round(wide)}x${Math.round(high)}`,
          );
      }
  }
  look(document);
  covered(document);
  for (const one of document.querySelectorAll(".balance, .brand, .bar nav a, .session a"))
    if (
      shown(one) &&
      new Set(inks(one, "frame").map(({ bottom }) => Math.round(bottom / 8))).size > 1
    )
      found.push(`on two lines: ${words(one)}`);
  if ([...document.querySelectorAll(".side.mine .plate")].some((plate) => !shown(plate)))
    found.push("my plate is not in sight");
  // A panel or a menu that opens over the table leaves in sight whose turn it is, the clock and my cards.
  for (const panel of document.querySelectorAll(".panels .panel[popover], #seat-menu")) {
    if (getComputedStyle(panel).position === "static") continue;
    panel.showPopover();
    const over = panel.getBoundingClientRect();
    for (const one of document.querySelectorAll("#turn, #clock, #my-cards")) {
      const [wide, high] = overlap(one.getBoundingClientRect(), over);
      if (wide > EDGE && high > EDGE) found.push(`covered by #${panel.id}: #${one.id}`);
    }
    if (over.height < 120) found.push(`no room for #${panel.id}`);
    look(panel);
    panel.hidePopover();
  }
  // Why an action is impossible lies on no card; what asks before a press may.
  for (const why of document.querySelectorAll(".moves .why:not(.ask)")) {
    why.showPopover();
    const over = why.getBoundingClientRect();
    for (const card of [...document.querySelectorAll(".card")].filter(shown)) {
      const [wide, high] = overlap(card.getBoundingClientRect(), over);
      if (wide > EDGE && high > EDGE) found.push(`covered by #${why.id}: card`);
    }
    why.hidePopover();
  }
  return [...new Set(found)];
};
