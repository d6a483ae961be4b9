// What the templates of the admin's theme name: Alpine's build for strict policies knows no globals,
// and reads single expressions. `casino/backoffice/theme_templates.py` says which name stands for what.

import "../casino/settled.js";

/* global getCurrentTab, moveRecords, searchCommand, searchDropdown, searchForm, sortRecords, theme */

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

// The search of the sidebar.
const search = () => ({
  ...searchDropdown(),
  begin() {
    this.openSearchResults = true;
    this.currentIndex = 0;
  },
  leave() {
    this.openSearchResults = false;
    const field = this.$refs.searchInput;
    if (field.value === "") {
      field.blur();
    }
    field.value = "";
  },
});

document.addEventListener("alpine:init", () => {
  const parts = { office, searchCommand, searchDropdown: search, searchForm, theme };
  for (const [name, part] of Object.entries(parts)) {
    Alpine.data(name, part);
  }
});
