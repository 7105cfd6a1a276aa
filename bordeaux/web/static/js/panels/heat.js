/** Which heat map lies over the board, and at its edge what that means: the scale, from none to the most, or threats in words. */

import { board } from "../board.js";
import { button, el, fill, kind, svg, titled } from "../dom.js";
import { store } from "../store.js";
import { threats } from "../threats.js";

export const id = "heat";
export const title = "Heat";

export function mount(element) {
  const offered = [["", ["Nothing", ""]], ...store.about.heats.map((each) => [each, HEATS[each] ?? [each, ""]])];
  const kinds = el("fieldset", { class: "kinds", on: { change: send } }, el("legend", { text: "Colour the provinces by" }), ...offered.map(([value, [name, told]]) => kind({ name: "heat", value }, name, told)));
  const power = el("select", { on: { change: send } });
  element.append(kinds, el("label", { class: "field" }, "Power", power));

  function send() {
    store.heat(kinds.querySelector("input:checked")?.value || null, power.value || null);
  }

  function show() {
    for (const radio of kinds.querySelectorAll("input")) radio.checked = radio.value === (store.heated.kind ?? "");
    power.value = store.heated.power ?? "";
    power.disabled = store.heated.kind === null;
  }

  store.on("map", () => {
    fill(power, [["", "All"], ...store.powers.map((name) => [name, titled(name)])]);
    show();
  });
  store.on("heat", show);
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
export function mountWarmth(element) {
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
    const colours = el("span", { class: "scale bordeaux-bare", "aria-hidden": "true" }, svg("svg", { width: STEPS * WIDE, height: 14 }, ...steps));
    const scale = leads || none ? [] : ["0", colours, board.warmest];
    element.replaceChildren(el("span", { text: said }), ...scale, button("Hide", () => store.heat(null), { class: "quiet small" }));
  }

  board.on("drawn", () => store.heated.kind && show());
  threats.on("change", show);
  store.on("heat", () => store.heated.kind === null && show());
}
