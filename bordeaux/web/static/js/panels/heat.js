/** Which heat map lies over the board, and at its edge what that means: the scale, from none to the most, or threats in words. */

import { button, el, svg, titled } from "../dom.js";
import { store } from "../store.js";

export const id = "heat";
export const title = "Heat";

export function mount(element) {
  const kinds = el("fieldset", { class: "kinds" }, el("legend", { text: "Colour the provinces by" }));
  const power = el("select", { on: { change: send } });
  element.append(kinds, el("label", { class: "field" }, el("span", { text: "Power" }), power));
  let map = null;

  function option(kind, name, told) {
    const radio = el("input", { type: "radio", name: "heat", value: kind, on: { change: send } });
    return el("label", { class: "kind" }, radio, el("span", {}, el("strong", { text: name }), told ? el("span", { class: "hint", text: told }) : null));
  }

  function send() {
    const kind = kinds.querySelector("input:checked")?.value || null;
    store.heat(kind, power.value || null);
  }

  function fill() {
    if (kinds.children.length === 1 && store.about) {
      kinds.append(option("", "Nothing", ""), ...store.about.heats.map((kind) => option(kind, ...(HEATS[kind] ?? [kind, ""]))));
      show();
    }
    const names = store.study?.powers.map(({ name }) => name) ?? [];
    if (String(names) === map) return;
    map = String(names);
    power.replaceChildren(el("option", { value: "", text: "All" }), ...names.map((name) => el("option", { value: name, text: titled(name) })));
    show();
  }

  function show() {
    const { kind, power: chosen } = store.heated;
    for (const radio of kinds.querySelectorAll("input")) radio.checked = radio.value === (kind ?? "");
    power.value = chosen ?? "";
    power.disabled = kind === null;
  }

  store.addEventListener("study", fill);
  store.addEventListener("heat", show);
  fill();
  show();
}

const STEPS = 8;
const WIDE = 26;
/** The heat maps: the name of each, and what it counts. */
const HEATS = {
  altitude: ["Altitude", "points that a province is worth after Fall moves"],
  influence: ["Influence", "the share of a province that a power has by its units and homes nearby"],
  danger: ["Danger", "attackers minus defenders of what a power holds"],
  people: ["People", "units that people would send there"],
  goals: ["Goals", "points for goals on the map of regions"],
};
const LEADS = "each province in the colour of the power that leads there";

/** Keep the scale in an element true to what is drawn. */
export function mountWarmth(element, store, board, threats) {
  function show() {
    const { kind, power } = store.heated;
    if (!kind || board.warmest === null) {
      element.replaceChildren(...threats.told());
      return;
    }
    const [name, told] = HEATS[kind] ?? [titled(kind), ""];
    const leads = kind === "influence" && !power;
    const none = Number(board.warmest) === 0;
    const said = `${name}: ${leads ? LEADS : told}${power ? `, for ${titled(power)}` : ""}${none ? ". There is none" : ""}.`;
    const steps = Array.from({ length: STEPS }, (_, n) => svg("rect", { class: `heat${n}`, x: n * WIDE, y: 0, width: WIDE, height: 14 }));
    const scale = [
      el("span", { class: "number", text: "0" }),
      el("span", { class: "scale bordeaux-bare", "aria-hidden": "true" }, svg("svg", { width: STEPS * WIDE, height: 14 }, ...steps)),
      el("span", { class: "number", text: board.warmest }),
    ];
    element.replaceChildren(
      el("span", { text: said }),
      ...(leads || none ? [] : scale),
      button("Hide", () => store.heat(null), { class: "quiet small" }),
    );
  }

  board.addEventListener("drawn", () => store.heated.kind && show());
  threats.addEventListener("change", show);
  store.addEventListener("heat", () => store.heated.kind === null && show());
}
