/** Which heat map lies over the board. */

import { el, titled } from "../dom.js";
import { store } from "../store.js";

export const id = "heat";
export const title = "Heat";

const TOLD = {
  altitude: ["Altitude", "What a province is worth to a power after Fall moves: the mountain that the search climbs."],
  influence: ["Influence", "The share of a province that is the power’s, by the units and homes that are near."],
  danger: ["Danger", "Of what a power holds: by how many the units of others that can attack outnumber those that can defend."],
  people: ["People", "Units that people would be expected to send there."],
  goals: ["Goals", "Points that goals on the map of regions add: the paper’s search marches there."],
};
const ALL = { altitude: "the most of any power", influence: "the power that leads, the stronger the larger its share", danger: "the greatest of all", people: "all powers together", goals: "the most of any power" };

export function mount(element) {
  const kinds = el("fieldset", { class: "kinds" }, el("legend", { text: "Colour the provinces by" }));
  const power = el("select", { on: { change: send } });
  const meaning = el("p", { class: "hint", role: "status" });
  element.append(kinds, el("label", { class: "field" }, el("span", { text: "Power" }), power), meaning);
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
      kinds.append(option("", "Nothing", ""), ...store.about.heats.map((kind) => option(kind, ...(TOLD[kind] ?? [kind, ""]))));
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
    meaning.textContent = kind === null ? "" : chosen ? `Shown for ${titled(chosen)}.` : `Without a power: ${ALL[kind] ?? "all together"}.`;
  }

  store.addEventListener("study", fill);
  store.addEventListener("heat", show);
  fill();
  show();
}
