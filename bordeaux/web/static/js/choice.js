/** A small menu beside what was clicked, for orders that the same clicks mean. */

import { board } from "./board.js";
import { button, el } from "./dom.js";

/** Where the menu stands on the screen: at the pointer, else in the middle of a province. */
function where(place, event) {
  if (event?.clientX) return [event.clientX, event.clientY];
  const hit = board.element.querySelector(`.hit[data-tag="${place}"]`) ?? board.element;
  const { left, top, width, height } = hit.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}

/** Ask which of some `{text, value}` is meant by a click on a province; gives the value, or null. */
export async function choose(place, event, choices, title) {
  // The end of the click that asks would close the menu.
  await new Promise((resolve) => setTimeout(resolve));
  return new Promise((resolve) => {
    const menu = el("div", { class: "asked", role: "menu", "aria-label": title, popover: "auto" });
    for (const { text, value } of choices) {
      const pick = () => {
        resolve(value);
        menu.hidePopover();
      };
      menu.append(button(text, pick, { role: "menuitem" }));
    }
    menu.addEventListener("toggle", ({ newState }) => {
      if (newState !== "closed") return;
      resolve(null);
      menu.remove();
    });
    menu.addEventListener("keydown", (event) => {
      const items = /** @type {HTMLElement[]} */ ([...menu.children]);
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (step) items.at((items.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + step) % items.length).focus();
      else if (event.key === "Tab") menu.hidePopover();
      else if (/^[1-9]$/.test(event.key)) items[Number(event.key) - 1]?.click();
      if (step || event.key === "Tab") event.preventDefault();
      event.stopPropagation();
    });
    document.body.append(menu);
    menu.showPopover();
    const [x, y] = where(place, event);
    menu.style.setProperty("left", `${Math.max(4, Math.min(x, innerWidth - menu.offsetWidth - 4))}px`);
    menu.style.setProperty("top", `${Math.max(4, Math.min(y + 8, innerHeight - menu.offsetHeight - 4))}px`);
    /** @type {HTMLElement} */ (menu.firstElementChild).focus();
  });
}
