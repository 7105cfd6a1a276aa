/** Which heat map lies over the board. */

import { el, titled } from "../dom.js";
import { store } from "../store.js";
import { HEATS } from "../warmth.js";

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
