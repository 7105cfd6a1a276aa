/** Which powers a panel is about: a row of badges to press. */

import { button, el, mark, titled } from "../dom.js";
import { store } from "../store.js";

/**
 * A choice of powers. Nothing chosen means all.
 * @param {string} label what is chosen, for screen readers
 * @param {function(): void} changed
 * @returns {{element: Element, chosen: function(): string[], allows: function(string): boolean}}
 */
export function powerChoice(label, changed) {
  const chosen = new Set();
  const all = button("All", () => {
    chosen.clear();
    told();
  }, { class: "quiet" });
  const each = el("span", { class: "badges" });
  const element = el("div", { class: "power-choice", role: "group", "aria-label": label }, all, each);

  function show() {
    all.setAttribute("aria-pressed", chosen.size === 0);
    for (const one of each.children) one.setAttribute("aria-pressed", chosen.has(one.dataset.power));
  }

  function told() {
    show();
    changed();
  }

  function press(power) {
    if (!chosen.delete(power)) chosen.add(power);
    if (chosen.size === store.powers.length) chosen.clear();
    told();
  }

  store.on("map", () => {
    chosen.clear();
    each.replaceChildren(
      ...store.powers.map((power) => {
        const named = { "aria-label": titled(power), title: titled(power), data: { power } };
        return el("button", { type: "button", class: "quiet", ...named, on: { click: () => press(power) } }, mark(store.study, power));
      }),
    );
    show();
  });
  return { element, chosen: () => [...chosen], allows: (power) => chosen.size === 0 || chosen.has(power) };
}

/** Boxes to tick, one for each power; `chosen()` gives those that are ticked. */
export function powerBoxes(label) {
  const boxes = store.powers.map((name) =>
    el("label", { class: "field", title: titled(name) }, el("input", { type: "checkbox", value: name, "aria-label": titled(name) }), mark(store.study, name)),
  );
  const element = el("fieldset", { class: "boxes" }, el("legend", { text: label }), ...boxes);
  const chosen = () => [...element.querySelectorAll("input:checked")].map((box) => box.value);
  return { element, chosen };
}

/** A heading of one power: its badge and its name. */
export const powerName = (power) => el("span", { class: "power-name" }, mark(store.study, power), titled(power));
