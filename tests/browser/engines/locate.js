// Finds parts of a page by the steps of a locator, and does one thing with them, or returns them.
(steps, doing, value) => {
  const ROLES = {
    link: "a[href], [role=link]",
    button: "button, summary, [type=submit], [role=button]",
    slider: "[type=range], [role=slider]",
    form: "form, [role=form]",
    heading: "h1, h2, h3, h4, [role=heading]",
    checkbox: "[type=checkbox], [role=checkbox]",
    textbox: "textarea, input:not([type]), [type=text], [type=search], [role=textbox]",
  };
  const APART = 10;
  const SIDES = [
    [APART, 0],
    [-APART, 0],
    [0, APART],
    [0, -APART],
  ];
  const words = (text) => (text ?? "").replace(/\s+/g, " ").trim();
  const fits = (text, { source, flags, exact }) => {
    if (flags !== undefined) return new RegExp(source, flags).test(words(text));
    return exact
      ? words(text) === source
      : words(text).toLowerCase().includes(source.toLowerCase());
  };
  const isVisible = (part) => {
    if (getComputedStyle(part).display === "contents") return [...part.children].some(isVisible);
    const { width, height } = part.getBoundingClientRect();
    return part.checkVisibility({ visibilityProperty: true }) && width > 0 && height > 0;
  };
  const nameOf = (part) =>
    part.getAttribute("aria-label") ||
    (part.getAttribute("aria-labelledby") ?? "")
      .split(" ")
      .filter(Boolean)
      .map((id) => document.getElementById(id)?.textContent)
      .join(" ") ||
    [...(part.labels ?? [])].map((label) => label.textContent).join(" ") ||
    words(part.innerText) ||
    part.textContent ||
    part.title;
  const inside = (roots, selector) => [
    ...new Set(roots.flatMap((root) => [...root.querySelectorAll(selector)])),
  ];
  const STEPS = {
    css: (parts, selector) => inside(parts, selector),
    role: (parts, { role, ...name }) =>
      inside(parts, ROLES[role]).filter((part) => isVisible(part) && fits(nameOf(part), name)),
    label: (parts, name) =>
      inside(parts, "input, select, textarea").filter((part) => fits(nameOf(part), name)),
    text: (parts, text) => {
      const having = inside(parts, "body *").filter(
        (part) => !/^(SCRIPT|STYLE)$/.test(part.tagName) && fits(part.textContent, text),
      );
      return having.filter(
        (part) => !having.some((other) => other !== part && part.contains(other)),
      );
    },
    has: (parts, text) => parts.filter((part) => fits(part.textContent, text)),
    nth: (parts, place) => parts.slice(place, place + 1 || undefined),
  };
  const found = steps.reduce((parts, [kind, what]) => STEPS[kind](parts, what), [document]);
  if (doing === "parts") return found;
  const part = found[0];
  const setAndTell = (field, set) => {
    set(field);
    for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
  };
  const DOINGS = {
    count: () => found.length,
    visible: () => found.some(isVisible),
    there: () => found.length > 0,
    innerText: () => part.innerText,
    textContent: () => part.textContent,
    innerHTML: () => part.innerHTML,
    texts: () => found.map((one) => one.textContent),
    attribute: () => part.getAttribute(value),
    value: () => part.value,
    checked: () => part.checked,
    box: () => {
      const { left, top, width, height } = part.getBoundingClientRect();
      return isVisible(part) ? { x: left, y: top, width, height } : null;
    },
    // Where the pointer meets it: null while it is hidden, or something else lies over it. A press is
    // apart from the last one, where there is room: WebKit takes two in one place for a double click.
    point: () => {
      if (!isVisible(part)) return null;
      const isIn = ({ left, top, right, bottom }) =>
        left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      if (!isIn(part.getBoundingClientRect()))
        part.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const { left, top, width, height } = part.getClientRects()[0];
      const middle = [Math.floor(left + width / 2), Math.floor(top + height / 2)];
      const meets = (point) => {
        const hit = document.elementFromPoint(...point);
        return hit && (part.contains(hit) || hit.closest("label")?.control === part);
      };
      const isApart = ([x, y]) =>
        !value.last || Math.hypot(x - value.last[0], y - value.last[1]) >= APART;
      if (value.force) return middle;
      if (part.disabled || !meets(middle)) return null;
      const beside = SIDES.map(([right, down]) => [middle[0] + right, middle[1] + down]);
      return [middle, ...beside].find((point) => isApart(point) && meets(point)) ?? middle;
    },
    // The text that the field holds is replaced by what is typed next.
    choose: () => {
      part.focus();
      part.select();
      return true;
    },
    insert: () => document.execCommand("insertText", false, value),
    option: () => {
      const option = [...part.options].find((one) =>
        "label" in value ? words(one.label) === value.label : one.value === value.value,
      );
      if (!option) return false;
      setAndTell(part, () => (part.value = option.value));
      return true;
    },
    focus: () => part.focus(),
  };
  if (!found.length && !["count", "visible", "there", "texts"].includes(doing))
    return { missing: true };
  return { answer: DOINGS[doing]() ?? null };
};
