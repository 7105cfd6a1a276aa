/** At the edge of the board what lies over it means: the scale of a heat map, from none to the most of it, or threats in words. */

import { button, el, svg, titled } from "./dom.js";

const STEPS = 8;
const WIDE = 26;
/** The heat maps: the name of each, and what it counts. */
export const HEATS = {
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
