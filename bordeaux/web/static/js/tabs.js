/** The panels beside the board: tabs, and folds one below the other where there is little room. */

import { button, el } from "./dom.js";
import { store } from "./store.js";

const REMEMBERED = "bordeaux-panel";

/**
 * Mount panels `[{id, title, mount(element)}]` in an element, in order. What a panel calls `news` is an event of the store:
 * those that come while it is not seen are counted on its tab, except the user's own messages. Gives a function that opens
 * a panel.
 */
export function mountPanels(element, panels) {
  const list = el("div", { class: "tabs", role: "tablist", "aria-label": "Beside the board" });
  const card = el("div", { class: "card" }, list);
  const shown = new Map();
  for (const panel of panels) {
    const controls = { "aria-controls": `panel-${panel.id}` };
    const tab = button(panel.title, () => select(panel.id), { id: `tab-${panel.id}`, role: "tab", ...controls });
    const fold = button(panel.title, () => select(panel.id, true), controls);
    const section = el("section", { id: `panel-${panel.id}`, role: "tabpanel", "aria-labelledby": `tab-${panel.id}`, tabindex: "0" });
    list.append(tab);
    card.append(el("h2", { class: "fold" }, fold), section);
    shown.set(panel.id, { tab, fold, section, title: panel.title, unseen: 0 });
    if (panel.news) store.on(panel.news, ({ detail }) => heard(panel.id, detail));
    panel.mount(section);
  }
  element.append(card);

  function heard(id, detail) {
    const panel = shown.get(id);
    if (!panel.section.hidden || store.study.play?.you.includes(detail?.sender)) return;
    panel.unseen += 1;
    name(panel);
  }

  function name({ tab, fold, title, unseen }) {
    tab.textContent = fold.textContent = unseen ? `${title} (${unseen})` : title;
  }

  function select(id, folds = false) {
    for (const [each, { tab, fold, section }] of shown) {
      const open = each === id && !(folds && !section.hidden);
      section.hidden = !open;
      tab.setAttribute("aria-selected", String(open));
      tab.setAttribute("tabindex", each === id ? "0" : "-1");
      fold.setAttribute("aria-expanded", String(open));
    }
    const panel = shown.get(id);
    panel.unseen = 0;
    name(panel);
    localStorage.setItem(REMEMBERED, id);
  }

  list.addEventListener("keydown", (event) => {
    const tabs = [...list.children];
    const now = tabs.indexOf(document.activeElement);
    const to = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined || now < 0) return;
    const next = tabs[(to + tabs.length) % tabs.length];
    next.focus();
    next.click();
    event.preventDefault();
  });

  // A page that grew wide again has one panel open.
  matchMedia("(min-width: 860px)").addEventListener("change", ({ matches }) => {
    if (matches && [...shown.values()].every(({ section }) => section.hidden)) select(shown.keys().next().value);
  });
  const remembered = localStorage.getItem(REMEMBERED);
  select(shown.has(remembered) ? remembered : shown.keys().next().value);
  return (id) => {
    select(id);
    shown.get(id).section.scrollIntoView({ block: "nearest" });
  };
}
