/** What the others can attack of one power, drawn over the board: how strongly, by whom, and whether it can be held. */

import { attempt, get } from "./api.js";
import { badge, button, colourOf, el, svg, titled } from "./dom.js";
import { provinceOf } from "./words.js";

/** What is covered by a unit from its middle, and the size of a number, in pixels of the sheet. */
const UNIT = 17;
const RADIUS = 11;
/** Where a number may stand around a unit, the best first, and how far from its middle, as parts of both sizes. */
const AROUND = [[1, -1], [1, 1], [-1, -1], [-1, 1], [1, 0], [-1, 0], [0, -1], [0, 1]];
const FAR = [0.85, 1.1, 1.4];
/** Pixels of the screen for one of the sheet below which numbers grow. */
const SMALL = 0.65;

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
    // Numbers stand clear of names, which are set with the picture.
    board.addEventListener("drawn", () => this.#found && this.#lay());
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
    return [this.#power, ...own, this.#store.ordered, this.#store.heated.power, ...study.powers.map(({ name }) => name)].find((power) => power && alive(power));
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
    const taken = this.#found ? this.#taken() : [];
    this.#layer.replaceChildren(...lines.filter(Boolean), ...(this.#found ?? []).map((threat) => this.#number(threat, grown, taken)));
  }

  /** What names, units and centres cover of the sheet. */
  #taken() {
    const sheet = /** @type {SVGSVGElement} */ (this.#layer).getScreenCTM()?.inverse();
    if (!sheet) return [];
    return [...this.#board.element.querySelectorAll(".picture :is([data-stands], text.name, text.waters, circle.centre)")]
      .filter((mark) => getComputedStyle(mark).visibility === "visible")
      .map((mark) => {
        const { left, top, right, bottom } = mark.getBoundingClientRect();
        const [from, to] = [new DOMPoint(left, top).matrixTransform(sheet), new DOMPoint(right, bottom).matrixTransform(sheet)];
        return [from.x, from.y, to.x, to.y];
      });
  }

  /** The middle of a number beside a place, where it covers least of what is `taken`. */
  #beside([x, y], radius, taken) {
    let best = [x, y];
    let least = Infinity;
    for (const far of FAR) {
      for (const [dx, dy] of AROUND) {
        // What stands in a corner is nearer on each axis.
        const part = (far * (UNIT + radius)) / (dx && dy ? 1.2 : 1);
        const [u, v] = [x + dx * part, y + dy * part];
        const covers = taken.reduce((sum, box) => sum + shared([u - radius, v - radius, u + radius, v + radius], box), 0);
        if (covers < least) [best, least] = [[u, v], covers];
      }
    }
    return best;
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

  #number(threat, grown, taken) {
    const radius = RADIUS * grown;
    const [x, y] = this.#beside(this.#at(threat.province), radius, taken);
    taken.push([x - radius, y - radius, x + radius, y + radius]);
    return svg(
      "g",
      { class: `strength ${weight(threat)}`, transform: `translate(${x} ${y}) scale(${grown})` },
      svg("circle", { r: RADIUS }),
      svg("text", { text: threat.attacks[0].strength }),
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
    const listed = this.#found.map((threat) => {
      const { power, strength } = threat.attacks[0];
      const told = `${names[provinceOf(threat.province)]}: ${titled(power)} ${strength} against ${threat.defence}`;
      const short = el("span", { "aria-hidden": "true", text: `${threat.province} ${strength}:${threat.defence}` });
      return el("span", { class: `threat ${weight(threat)}`, title: told }, short, el("span", { class: "unseen", text: told }), badge(this.#store.study, power));
    });
    return [
      el("label", { class: "row" }, "Threats to ", choice),
      ...listed,
      this.#found.length ? "" : el("span", { text: "Nobody can attack it in the next phase." }),
    ];
  }

  #choose(power) {
    this.#power = power;
    this.#ask();
  }
}

/** Whether an attack is stronger than all that can hold the province, as strong, or weaker. */
const weight = ({ attacks, defence }) => (attacks[0].strength > defence ? "falls" : attacks[0].strength < defence ? "weak" : "");
/** The area that two boxes share. */
const shared = (one, other) =>
  Math.max(0, Math.min(one[2], other[2]) - Math.max(one[0], other[0])) * Math.max(0, Math.min(one[3], other[3]) - Math.max(one[1], other[1]));
