/** What the others can attack of one power, drawn over the board: how strongly, by whom, and whether it can be held. */

import { attempt, get } from "./api.js";
import { board } from "./board.js";
import { badge, button, colourOf, el, select, Source, svg, titled } from "./dom.js";
import { store } from "./store.js";
import { provinceOf } from "./words.js";

/** What is covered by a unit from its middle, and the size of a number, in pixels of the sheet. */
const UNIT = 17;
const RADIUS = 11;
/** Pixels of the screen for one of the sheet below which numbers grow. */
const SMALL = 0.65;

/** Threats that are drawn, or none; `change` says that what is told of them is another. */
class Threats extends Source {
  #layer = svg("svg", { class: "threats", "aria-hidden": "true" });
  #switch = button("Threats", () => this.toggle(), {
    class: "threat-switch",
    "aria-pressed": "false",
    "aria-keyshortcuts": "t",
    title: "What the others can attack, and how strongly (t)",
  });
  #power = null;
  /** @type {*[]|null} those that are drawn; null where none are asked for */
  #found = null;

  constructor() {
    super();
    board.element.append(this.#layer, this.#switch);
    board.view.on("change", () => this.#lay());
    store.on("map", () => (this.#power = null));
    store.on("node", () => this.#found && this.#ask());
    store.on("heat", ({ detail }) => detail.kind && this.#found && this.toggle());
  }

  /** Draw them, or no more. */
  async toggle() {
    if (!this.#found) {
      store.heat(null);
      this.#found = [];
      return this.#ask();
    }
    this.#found = null;
    return this.#draw();
  }

  /** Powers with units, in order: the one chosen before, one's own in a game, the one that was ordered last, the others. */
  #looked() {
    const { study, node, ordered, heated } = store;
    const own = study.play?.over ? [] : (study.play?.you ?? []);
    const wanted = [this.#power, ...own, ordered, heated.power, ...store.powers];
    return wanted.filter((power) => node.units.some((unit) => unit.power === power));
  }

  async #ask() {
    const path = store.here;
    const wanted = this.#power;
    const [power] = this.#looked();
    const answer = power ? await attempt(() => get(`${path}/threats?power=${encodeURIComponent(power)}`)) : { power: null, threats: [] };
    if (!answer || !this.#found || path !== store.here || wanted !== this.#power) return;
    this.#power = answer.power;
    this.#found = answer.threats;
    this.#draw();
  }

  #draw() {
    this.#switch.setAttribute("aria-pressed", String(this.#found !== null));
    this.#lay();
    this.tell();
  }

  #lay() {
    const { scale, zoom, box } = board.view;
    const found = this.#found ?? [];
    const lines = found.flatMap((threat) => threat.attacks.flatMap((attack) => attack.origins.map((from) => this.#line(threat, attack, from))));
    // Numbers are read on a small board too, and grow more slowly than it where one comes near.
    const grown = Math.max(1, (SMALL * zoom) / (scale || 1)) / zoom ** 0.5;
    this.#layer.setAttribute("viewBox", box);
    this.#layer.style.setProperty("--grown", grown.toFixed(3));
    this.#layer.replaceChildren(...lines.filter(Boolean), ...found.map((threat) => this.#number(threat, grown)));
  }

  /** Where what is attacked stands: its unit, which may be on a coast. */
  #at(province) {
    const unit = store.node.units.find((each) => each.province === province && !each.dislodged);
    return board.at(unit?.location ?? province);
  }

  #line({ province }, { power }, from) {
    const [x, y] = board.at(from);
    const [u, v] = this.#at(province);
    const far = Math.hypot(u - x, v - y);
    if (far < 2 * UNIT) return null;
    const part = UNIT / far;
    const ends = { x1: x + (u - x) * part, y1: y + (v - y) * part, x2: u - (u - x) * part, y2: v - (v - y) * part };
    return svg("g", { class: `power-${colourOf(store.study, power)}` }, svg("line", { ...ends, class: "halo" }), svg("line", ends));
  }

  /** The strength of the strongest attack, at a corner of the unit. */
  #number(threat, grown) {
    const [x, y] = this.#at(threat.province);
    const aside = 0.75 * (UNIT + RADIUS * grown);
    const transform = `translate(${x + aside} ${y - aside}) scale(${grown})`;
    const { strength } = threat.attacks[0];
    return svg("g", { class: `strength ${weight(threat)}`, transform }, svg("circle", { r: RADIUS }), svg("text", { text: strength }));
  }

  /** What is drawn, in words, with the choice of the power; none where nothing is. */
  told() {
    if (!this.#found) return [];
    const choose = () => {
      this.#power = choice.value;
      this.#ask();
    };
    const alive = store.powers.filter((power) => this.#looked().includes(power)).map((power) => [power, titled(power)]);
    const choice = select(alive, { "aria-label": "Whose units and centres are looked at", on: { change: choose } }, this.#power);
    const listed = this.#found.map((threat) => {
      const { power, strength } = threat.attacks[0];
      const told = `${board.names[provinceOf(threat.province)]}: ${titled(power)} ${strength} against ${threat.defence}`;
      const short = el("span", { "aria-hidden": "true", text: `${threat.province} ${strength}:${threat.defence}` });
      return el("span", { class: `threat ${weight(threat)}`, title: told }, short, el("span", { class: "unseen", text: told }), badge(store.study, power));
    });
    const none = el("span", { text: "Nobody can attack it in the next phase." });
    return [el("label", { class: "row" }, "Threats to ", choice), ...(listed.length ? listed : [none])];
  }
}

export const threats = new Threats();

/** Whether an attack is stronger than all that can hold the province, as strong, or weaker. */
const weight = ({ attacks, defence }) => (attacks[0].strength > defence ? "falls" : attacks[0].strength < defence ? "weak" : "");
