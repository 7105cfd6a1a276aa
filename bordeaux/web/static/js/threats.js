/** What the others can attack of one power, drawn over the board: how strongly, by whom, and whether it can be held. */

import { attempt, get } from "./api.js";
import { badge, button, colourOf, el, svg, titled } from "./dom.js";
import { provinceOf } from "./words.js";

/** What is covered by a unit from its middle, and where the number stands beside it, in pixels of the sheet. */
const UNIT = 17;
const BESIDE = [19, -17];
const RADIUS = 11;
/** Pixels of the screen for one of the sheet below which numbers grow. */
const SMALL = 0.65;
/** Threats that are told below the board. */
const TOLD = 4;

/** Threats that are drawn, or none; `change` says that what is told of them is another. */
export class Threats extends EventTarget {
  #store;
  #board;
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

  constructor(store, board) {
    super();
    this.#store = store;
    this.#board = board;
    board.element.append(this.#layer, this.#switch);
    board.view.addEventListener("change", () => this.#lay());
    let opened = null;
    store.addEventListener("study", ({ detail }) => {
      if (detail.id !== opened) this.#power = null;
      opened = detail.id;
    });
    store.addEventListener("node", () => this.#found && this.#ask());
    store.addEventListener("heat", ({ detail }) => detail.kind && this.#found && this.toggle());
  }

  /** Draw them, or no more. */
  async toggle() {
    if (this.#found) {
      this.#found = null;
      this.#draw();
      return;
    }
    this.#store.heat(null);
    this.#found = [];
    await this.#ask();
  }

  /** The power that is looked at: one's own in a game; else the one chosen before, or one with units. */
  #looked() {
    const { study, node } = this.#store;
    const own = study.play?.over ? [] : (study.play?.you ?? []);
    const alive = (power) => node.units.some((unit) => unit.power === power);
    return [this.#power, ...own, this.#store.heated.power, ...study.powers.map(({ name }) => name)].find((power) => power && alive(power));
  }

  async #ask() {
    const path = this.#store.path(this.#store.node.id);
    const power = this.#looked();
    const answer = power ? await attempt(() => get(`${path}/threats?power=${encodeURIComponent(power)}`)) : { power: null, threats: [] };
    if (!answer || !this.#found || path !== this.#store.path(this.#store.node.id)) return;
    this.#power = answer.power;
    this.#found = answer.threats;
    this.#draw();
  }

  #draw() {
    this.#switch.setAttribute("aria-pressed", String(this.#found !== null));
    this.#lay();
    this.dispatchEvent(new Event("change"));
  }

  #lay() {
    const { scale, zoom, box } = this.#board.view;
    const lines = (this.#found ?? []).flatMap((threat) => threat.attacks.flatMap((attack) => attack.origins.map((from) => this.#line(threat, attack, from))));
    // Numbers are read on a small board too, and grow more slowly than it where one comes near.
    const grown = (Math.max(1, (SMALL * zoom) / (scale || 1)) / zoom ** 0.5).toFixed(3);
    this.#layer.setAttribute("viewBox", box);
    this.#layer.style.setProperty("--grown", grown);
    this.#layer.replaceChildren(...lines.filter(Boolean), ...(this.#found ?? []).map((threat) => this.#number(threat, grown)));
  }

  /** Where what is attacked stands: its unit, which may be on a coast. */
  #at(province) {
    const unit = this.#store.node.units.find((each) => each.province === province && !each.dislodged);
    return this.#board.at(unit?.location ?? province);
  }

  #line({ province }, { power }, from) {
    const [x, y] = this.#board.at(from);
    const [u, v] = this.#at(province);
    const far = Math.hypot(u - x, v - y);
    if (far < 2 * UNIT) return null;
    const part = UNIT / far;
    const ends = { x1: x + (u - x) * part, y1: y + (v - y) * part, x2: u - (u - x) * part, y2: v - (v - y) * part };
    return svg("g", { class: `power-${colourOf(this.#store.study, power)}` }, svg("line", { ...ends, class: "halo" }), svg("line", ends));
  }

  #number(threat, grown) {
    const [x, y] = this.#at(threat.province);
    const [cx, cy] = BESIDE;
    return svg(
      "g",
      { class: falls(threat) ? "strength falls" : "strength", transform: `translate(${x} ${y}) scale(${grown})` },
      svg("circle", { cx, cy, r: RADIUS }),
      svg("text", { x: cx, y: cy, text: threat.attacks[0].strength }),
    );
  }

  /** What is drawn, in words, with the choice of the power; none where nothing is. */
  told() {
    if (!this.#found) return [];
    const { names } = this.#board;
    const alive = this.#store.study.powers.map(({ name }) => name).filter((power) => this.#store.node.units.some((unit) => unit.power === power));
    const choice = el(
      "select",
      { "aria-label": "Whose units and centres are looked at", on: { change: () => this.#choose(choice.value) } },
      ...alive.map((power) => el("option", { value: power, text: titled(power), selected: power === this.#power })),
    );
    const listed = this.#found.slice(0, TOLD).map((threat) => {
      const { power, strength } = threat.attacks[0];
      const told = `${names[provinceOf(threat.province)]}: ${titled(power)} ${strength} against ${threat.defence}`;
      const short = el("span", { "aria-hidden": "true", text: `${threat.province} ${strength}:${threat.defence}` });
      return el("span", { class: falls(threat) ? "threat falls" : "threat", title: told }, short, el("span", { class: "unseen", text: told }), badge(this.#store.study, power));
    });
    const rest = this.#found.length - listed.length;
    return [
      el("label", { class: "row" }, "Threats to ", choice),
      ...listed,
      rest > 0 ? el("span", { class: "muted", text: `and ${rest} more` }) : "",
      this.#found.length ? "" : el("span", { text: "Nobody can attack it in the next phase." }),
    ];
  }

  #choose(power) {
    this.#power = power;
    this.#ask();
  }
}

/** Whether an attack is stronger than all that can hold the province. */
const falls = ({ attacks, defence }) => attacks[0].strength > defence;
