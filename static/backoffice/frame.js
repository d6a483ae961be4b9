// What the templates of the admin's theme name: Alpine's build for strict policies knows no globals,
// and reads single expressions. `casino/office/frame/theme.py` says which name stands for what.

import "../casino/settled.js";

/* global getCurrentTab, moveRecords, searchCommand, searchForm, sortRecords, theme */

const SIDEBAR = "sidebarDesktopOpen";

// The body of every page: its open tab, and whether the sidebar is open.
const office = (tab = "") => ({
  activeTab: tab,
  sidebarMobileOpen: false,
  sidebarDesktopOpen: (localStorage.getItem(SIDEBAR) ?? "1") === "1",
  moveRecords,
  sortRecords,
  init() {
    this.activeTab = (tab && getCurrentTab()) || tab;
    this.$watch(SIDEBAR, (open) => localStorage.setItem(SIDEBAR, open ? "1" : "0"));
  },
  get addressOfForm() {
    const tabbed = this.activeTab && this.activeTab !== "general";
    return location.pathname + location.search + (tabbed ? `#${this.activeTab}` : "");
  },
});

// The search in a window: "/" opens it, too, and Enter opens the first thing found.
const search = () => ({
  ...searchCommand(),
  handleShortcut(event) {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    const opens = event.key === "/" || (event.key === "k" && (event.metaKey || event.ctrlKey));
    if (opens && !typing && !this.openCommandResults) {
      event.preventDefault();
      this.handleOpen();
    }
  },
  handleEscape() {
    searchCommand().handleEscape.call(this);
    // A hidden field keeps the focus until the page is drawn, and would take the next key.
    if (!this.openCommandResults) {
      this.$refs.searchInputCommand.blur();
    }
  },
  handleContentLoaded(event) {
    searchCommand().handleContentLoaded.call(this, event);
    this.currentIndex = this.hasResults ? 1 : 0;
  },
  selectItem(...how) {
    if (this.hasResults && this.currentIndex > 0) {
      searchCommand().selectItem.apply(this, how);
    }
  },
});

document.addEventListener("alpine:init", () => {
  const parts = { office, searchCommand: search, searchForm, theme };
  for (const [name, part] of Object.entries(parts)) {
    Alpine.data(name, part);
  }
});

// The theme hides the page until Alpine has begun. If the browser draws it before, it passes over the
// hidden field that asks for the cursor, and never returns to it.
document.addEventListener("alpine:initialized", () =>
  // By then the page is shown, as Alpine shows it with a microtask of its own.
  queueMicrotask(() => {
    if (document.activeElement === document.body) {
      document.querySelector("[autofocus]")?.focus();
    }
  }),
);

// On a phone a list's row is one line and controls are folded (rows.css); a tap shows the rest.
document.addEventListener("click", ({ target }) => {
  const button = target.closest(".folds, .opens button");
  const other = !button && target.closest("a, button, input, label, select");
  const box = button?.matches(".folds") ? button.parentElement : target.closest(".one-line");
  if (box && !other) {
    const isOpen = box.classList.toggle("open");
    box.querySelector(".folds, .opens button")?.setAttribute("aria-expanded", isOpen);
  }
});
