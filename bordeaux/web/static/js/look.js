/** How the board looks: its theme, patterns on owned land, full names. The browser keeps it. */

import { dialog } from "./dialog.js";
import { el, kind, Source, tick } from "./dom.js";
import { keep, kept } from "./panels/settings.js";

const THEMES = {
  calm: ["Calm", "Soft tints, light or dark as your system is."],
  paper: ["Paper", "A printed map, always light."],
  contrast: ["High contrast", "Strong colours, black borders and names."],
};
const POWERS = 7;

const { theme, patterns, names } = kept("look");

/** What is chosen; `change` is an event. */
class Look extends Source {
  theme = theme in THEMES ? theme : "calm";
  patterns = patterns === true;
  names = names === true;

  constructor() {
    super();
    this.#show();
  }

  #show() {
    const root = document.documentElement;
    root.dataset.board = this.theme;
    root.toggleAttribute("data-patterns", this.patterns);
  }

  choose(chosen) {
    Object.assign(this, chosen);
    keep("look", { theme: this.theme, patterns: this.patterns, names: this.names });
    this.#show();
    this.tell();
  }
}

export const look = new Look();

/** Ask how the board shall look; it is seen at once. */
export function askLook() {
  const themes = Object.entries(THEMES).map(([theme, [name, told]]) => {
    const swatches = Array.from({ length: POWERS }, (_, n) => el("i", { class: `swatch power-${n}` }));
    const radio = { name: "theme", value: theme, checked: look.theme === theme, on: { change: () => look.choose({ theme }) } };
    return kind(radio, name, told, el("span", { class: "swatches", data: { board: theme }, "aria-hidden": "true" }, ...swatches));
  });
  const box = (name, told) => tick(told, ({ target }) => look.choose({ [name]: target.checked }), look[name]);
  dialog(
    "The board",
    el("fieldset", { class: "kinds" }, el("legend", { text: "Colours" }), ...themes),
    box("patterns", "Patterns on owned land, for those who do not see all colours"),
    box("names", "Full names of provinces, where there is room for them"),
  ).classList.add("narrow");
}
