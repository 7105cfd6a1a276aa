/** Orders and lines take turns in one place where there is little height; elsewhere both are seen, and this is not. */

import { button } from "./dom.js";

const REMEMBERED = "bordeaux-sheet";
const NAMES = { orders: "Orders", tree: "Lines" };

/** Put the two switches into an element; `sheet` says by its data which one is shown. */
export function mountFlip(element, sheet) {
  const switches = Object.entries(NAMES).map(([id, name]) => button(name, () => show(id), { "aria-controls": id, data: { id } }));

  function show(id) {
    sheet.dataset.shown = id;
    for (const each of switches) each.setAttribute("aria-pressed", String(each.dataset.id === id));
    localStorage.setItem(REMEMBERED, id);
  }

  element.append(...switches);
  const remembered = localStorage.getItem(REMEMBERED);
  show(remembered in NAMES ? remembered : "orders");
}
