/** What-ifs: orders that are taken as known, and promises between powers, in a small form. */

import { notify } from "../api.js";
import { button, capital, el, select, titled } from "../dom.js";
import { store } from "../store.js";
import { percent } from "./numbers.js";
import { powerBoxes } from "./powers.js";

const KINDS = {
  peace: { name: "Peace", told: "no party goes where another has a unit or a centre", least: 2 },
  alliance: { name: "Alliance", told: "peace, and each counts a part of what the others hold as its own", least: 2 },
  promise: { name: "Promised orders", told: "these orders are given", least: 1, field: "orders", hint: "A VEN H; A TYR - MUN", split: /[;,\n]+/ },
  demilitarised: { name: "Demilitarised", told: "no party goes into the provinces, nor builds there", least: 1, field: "provinces", hint: "TYR, GAL", split: /[\s;,]+/ },
};

/** An agreement in one line. */
export function told({ kind, parties, orders = [], provinces = [], trust = 1 }) {
  const what = [...orders, ...provinces].join(", ");
  const who = parties.map(titled).join(", ");
  return `${KINDS[kind].name}: ${who}${what ? ` (${what})` : ""}${trust < 1 ? `, trusted ${percent(trust)}` : ""}`;
}

/**
 * The form for what-ifs.
 * @param {function(): void} changed called when what holds has changed
 * @returns {{element: Element, given: function(): ?Object, agreements: function(): Object[], count: function(): number}}
 */
export function whatIfs(changed) {
  const agreements = [];
  const list = el("ul", { class: "agreements", "aria-label": "Promises that hold" });
  const known = el("div");
  const form = el("div");
  let boxes = null;

  function showList() {
    const item = (agreement) =>
      el("li", {}, told(agreement), button("×", () => drop(agreement), { class: "quiet", "aria-label": `Take away: ${told(agreement)}` }));
    list.replaceChildren(...agreements.map(item));
    list.hidden = !agreements.length;
  }

  function drop(agreement) {
    agreements.splice(agreements.indexOf(agreement), 1);
    showList();
    changed();
  }

  function add(agreement) {
    agreements.push(agreement);
    showList();
    changed();
  }

  store.on("map", () => {
    agreements.length = 0;
    boxes = powerBoxes("Take the draft as known for");
    boxes.element.addEventListener("change", changed);
    known.replaceChildren(boxes.element);
    form.replaceChildren(agreementForm(add));
    showList();
  });

  function given() {
    const chosen = (boxes?.chosen() ?? []).filter((power) => store.node?.draft[power]?.length);
    return chosen.length ? Object.fromEntries(chosen.map((power) => [power, store.node.draft[power]])) : null;
  }

  return {
    element: el("div", { class: "stack" }, known, list, form),
    given,
    agreements: () => agreements,
    count: () => agreements.length + Object.keys(given() ?? {}).length,
  };
}

/** The part that makes one agreement. */
function agreementForm(add) {
  const kind = select(Object.entries(KINDS).map(([value, { name }]) => [value, name]), { "aria-label": "Kind of promise", on: { change: showKind } });
  const meaning = el("p", { class: "hint" });
  const parties = powerBoxes("Between");
  const entry = el("input", { type: "text", autocomplete: "off", spellcheck: "false" });
  const label = el("label", { class: "field" }, el("span"), entry);
  const trust = el("input", { type: "range", min: 0, max: 100, step: 5, value: 100, "aria-label": "Trust" });
  const trusted = el("output", { class: "number", text: percent(1) });
  trust.addEventListener("input", () => {
    trusted.textContent = percent(trust.value / 100);
    trust.setAttribute("aria-valuetext", trusted.textContent);
  });

  function showKind() {
    const { told: text, field = "", hint } = KINDS[kind.value];
    meaning.textContent = `${capital(text)}.`;
    label.hidden = !field;
    label.firstElementChild.textContent = capital(field);
    entry.placeholder = `such as ${hint}`;
  }
  showKind();

  function submit(event) {
    event.preventDefault();
    const { name, least, field, split } = KINDS[kind.value];
    const chosen = parties.chosen();
    const entered = field ? { [field]: entry.value.split(split).map((text) => text.trim()).filter(Boolean) } : {};
    if (chosen.length < least) return notify(`${name} needs ${least === 2 ? "two powers: tick them" : "a power: tick it"}.`, "bad");
    if (entered[field]?.length === 0) return notify(`${name} needs ${field}, ${entry.placeholder}.`, "bad");
    add({ kind: kind.value, parties: chosen, trust: trust.value / 100, ...entered });
    form.reset();
    trusted.textContent = percent(1);
    showKind();
  }

  const form = el(
    "form",
    { class: "agreement stack", "aria-label": "A promise", on: { submit } },
    el("div", { class: "row" }, kind, el("label", { class: "field" }, el("span", { text: "Trust" }), trust, trusted)),
    meaning,
    parties.element,
    label,
    el("button", { text: "Add the promise" }),
  );
  return form;
}
