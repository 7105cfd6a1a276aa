/** A small menu beside what was clicked, for orders that the same clicks mean. */

import { button, el } from "./dom.js";

let open = null;

/**
 * Ask which one is meant.
 * @param {HTMLElement} holder what the menu stands in; it has a position of its own
 * @param {{x: number, y: number}} at pixels within the holder
 * @param {{text: string, value: *}[]} choices
 * @param {string} title what is asked
 * @returns {Promise<*>} the value chosen, or null
 */
export function choose(holder, at, choices, title) {
  open?.(null);
  return new Promise((resolve) => {
    const before = document.activeElement;
    const menu = el("div", { class: "asked", role: "menu", "aria-label": title });

    function finish(value) {
      if (open !== finish) return;
      open = null;
      document.removeEventListener("pointerdown", elsewhere, true);
      menu.remove();
      if (before instanceof HTMLElement || before instanceof SVGElement) before.focus();
      resolve(value);
    }

    function elsewhere(event) {
      if (!menu.contains(event.target)) finish(null);
    }

    open = finish;
    for (const { text, value } of choices) {
      menu.append(button(text, () => finish(value), { role: "menuitem" }));
    }
    menu.addEventListener("keydown", (event) => {
      const items = [...menu.children];
      const now = items.indexOf(document.activeElement);
      const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
      if (step) items[(now + step + items.length) % items.length].focus();
      else if (event.key === "Escape" || event.key === "Tab") finish(null);
      else if (/^[1-9]$/.test(event.key)) items[event.key - 1]?.click();
      // Enter and Space click the button that has the focus.
      if (step || event.key === "Escape" || event.key === "Tab") event.preventDefault();
      event.stopPropagation();
    });
    holder.append(menu);
    const left = Math.max(4, Math.min(at.x, holder.clientWidth - menu.offsetWidth - 4));
    const top = Math.max(4, Math.min(at.y + 8, holder.clientHeight - menu.offsetHeight - 4));
    menu.style.setProperty("left", `${left + holder.scrollLeft}px`);
    menu.style.setProperty("top", `${top + holder.scrollTop}px`);
    menu.firstElementChild.focus();
    document.addEventListener("pointerdown", elsewhere, true);
  });
}
