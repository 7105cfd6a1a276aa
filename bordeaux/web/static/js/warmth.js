/** At the edge of the board what lies over it means: the scale of a heat map, from none to the most of it, or threats in words. */

import { button, el, svg, titled } from "./dom.js";

const STEPS = 8;
const WIDE = 26;
/** What is counted, by kind. */
const TOLD = {
  altitude: "Altitude: points that a province is worth after Fall moves",
  influence: "Influence: the share of a province that a power has",
  danger: "Danger: by how many the units that can attack outnumber those that can hold",
  people: "People: units expected to be sent there",
  goals: "Goals: points that goals on the map of regions add",
};

/** Keep the scale in an element true to what is drawn. */
export function mountWarmth(element, store, board, threats) {
  function show() {
    const { kind, power } = store.heated;
    if (!kind || board.warmest === null) {
      element.replaceChildren(...threats.told());
      return;
    }
    const said = `${TOLD[kind] ?? titled(kind)}${power ? `, for ${titled(power)}` : ""}.`;
    const off = button("No heat", () => store.heat(null), { class: "quiet small" });
    if (Number(board.warmest) === 0) {
      element.replaceChildren(el("span", { text: `${said} There is none.` }), off);
      return;
    }
    if (kind === "influence" && !power) {
      element.replaceChildren(el("span", { text: "Influence: each province has the colour of the power that leads there, the stronger the larger its share." }), off);
      return;
    }
    const steps = Array.from({ length: STEPS }, (_, n) => svg("rect", { class: `heat${n}`, x: n * WIDE, y: 0, width: WIDE, height: 14 }));
    element.replaceChildren(
      el("span", { text: said }),
      el("span", { class: "number", text: "0" }),
      el("span", { class: "scale bordeaux-bare", "aria-hidden": "true" }, svg("svg", { width: STEPS * WIDE, height: 14 }, ...steps)),
      el("span", { class: "number", text: board.warmest }),
      off,
    );
  }

  board.addEventListener("drawn", () => store.heated.kind && show());
  threats.addEventListener("change", show);
  store.addEventListener("heat", () => store.heated.kind === null && show());
}
