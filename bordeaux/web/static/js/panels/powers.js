/** Which powers a panel is about: a row of badges to press. */

import { badge, button, el, titled } from "../dom.js";
import { store } from "../store.js";

/** The mark of a power where its name stands beside it, or names the control that it is in. */
export function mark(power) {
  const sign = badge(store.study, power);
  for (const name of ["role", "aria-label", "title"]) sign.removeAttribute(name);
  sign.setAttribute("aria-hidden", "true");
  return sign;
}

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
  });
  const each = el("span", { class: "badges" });
  const element = el("div", { class: "power-choice", role: "group", "aria-label": label }, all, each);
  let map = null;

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
    if (chosen.size === store.study.powers.length) chosen.clear();
    told();
  }

  function fill() {
    const names = store.study?.powers.map(({ name }) => name) ?? [];
    if (String(names) === map) return;
    map = String(names);
    chosen.clear();
    each.replaceChildren(
      ...names.map((power) => {
        const named = { "aria-label": titled(power), title: titled(power), data: { power } };
        return el("button", { type: "button", ...named, on: { click: () => press(power) } }, mark(power));
      }),
    );
    show();
  }

  store.addEventListener("study", fill);
  fill();
  return { element, chosen: () => [...chosen], allows: (power) => chosen.size === 0 || chosen.has(power) };
}

/** Boxes to tick, one for each power; `chosen()` gives those that are ticked. */
export function powerBoxes(label) {
  const boxes = store.study.powers.map(({ name }) =>
    el("label", { class: "box", title: titled(name) }, el("input", { type: "checkbox", value: name, "aria-label": titled(name) }), mark(name)),
  );
  const element = el("fieldset", { class: "boxes" }, el("legend", { text: label }), ...boxes);
  const chosen = () => [...element.querySelectorAll("input:checked")].map((box) => box.value);
  return { element, chosen };
}

/** A heading of one power: its badge and its name. */
export const powerName = (power) => el("span", { class: "power-name" }, mark(power), el("span", { text: titled(power) }));
