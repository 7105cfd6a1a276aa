/** The course of the game below the board: chances and centres of all powers, phase by phase, under the slider of phases. */

import { attempt, get } from "./api.js";
import { colourOf, el, svg, titled } from "./dom.js";
import { store } from "./store.js";

/** Pixels between two years that are named, and the height from which on a band has its letter. */
const YEAR = 44;
const LETTERED = 9;
/** Powers that are told of a phase. */
const TOLD = 3;

/** Draws the course in its `element`; `show(steps)` brings it up to date with the nodes of a line. */
export class Course {
  element = el("div", { class: "course", "aria-hidden": "true" });
  #chances = el("div", { class: "bands chances" });
  #years = el("div", { class: "years" });
  #centres = el("div", { class: "bands" });
  #steps = [];
  /** Expected shares by node, and the study that they are of. */
  #shares = {};
  #study = null;

  constructor() {
    this.element.append(this.#chances, this.#years, this.#centres);
    store.on("study", () => this.#load());
    new ResizeObserver(() => this.#draw()).observe(this.element);
  }

  async #load() {
    const { id, nodes } = store.study;
    if (id !== this.#study) this.#shares = {};
    this.#study = id;
    if (nodes.every((node) => node.id in this.#shares)) return;
    const shares = await attempt(() => get(`/api/studies/${id}/course`));
    if (!shares || this.#study !== id) return;
    this.#shares = { ...this.#shares, ...shares };
    this.#draw();
  }

  show(steps) {
    if (String(steps) === String(this.#steps)) return;
    this.#steps = steps;
    this.#draw();
  }

  /** A step in words: the powers with the best chances, each with its centres. */
  told(node) {
    const shares = this.#shares[node];
    const centres = store.branch(node)?.centres;
    if (!shares || !centres) return "";
    const best = Object.entries(shares).sort(([, one], [, other]) => other - one).slice(0, TOLD);
    return best.map(([power, share]) => `${titled(power)} ${Math.round(100 * share)} %, centres: ${centres[power]}`).join("; ");
  }

  #draw() {
    const { study, node } = store;
    const steps = this.#steps.map((id) => store.branch(id));
    if (!study || !node || !steps.length || steps.includes(undefined)) return;
    const all = Object.keys(node.owners).length;
    this.#chances.replaceChildren(...this.#bands(steps.map(({ id }) => this.#shares[id] ?? {})));
    this.#centres.replaceChildren(...this.#bands(steps.map(({ centres }) => centres), all));
    this.#years.replaceChildren();
    let last = -YEAR;
    for (const [n, { phase }] of steps.entries()) {
      const year = phase.slice(1, 5);
      const x = (n / Math.max(1, steps.length - 1)) * this.element.clientWidth;
      if (!Number(year) || year === steps[n - 1]?.phase.slice(1, 5) || x - last < YEAR || x > this.element.clientWidth - YEAR) continue;
      this.#years.append(at(el("span", { text: year }), n, steps.length));
      last = x;
    }
  }

  /** The bands of all powers above each other, and their letters where they are widest. */
  #bands(values, all = 1) {
    const columns = values.length === 1 ? [...values, ...values] : values;
    const floor = columns.map(() => 0);
    const height = this.#chances.clientHeight;
    const shapes = [];
    const letters = [];
    for (const { name, letter } of store.study.powers) {
      const below = [...floor];
      const sizes = columns.map((parts) => (parts[name] ?? 0) / all);
      for (const [n, size] of sizes.entries()) floor[n] += size;
      const most = Math.max(...sizes);
      if (!most) continue;
      const colour = `power-${colourOf(store.study, name)}`;
      const edge = [...floor.map((y, n) => [n, 1 - y]), ...below.map((y, n) => [n, 1 - y]).reverse()];
      shapes.push(svg("polygon", { class: colour, points: edge.join(" ") }));
      if (all > 1 || most * height < LETTERED) continue;
      const n = Math.min(sizes.indexOf(most), values.length - 1);
      const mark = at(el("span", { class: `letter ${colour}`, text: letter }), n, columns.length);
      mark.style.setProperty("--up", below[n] + most / 2);
      letters.push(mark);
    }
    return [svg("svg", { viewBox: `0 0 ${columns.length - 1} 1`, preserveAspectRatio: "none" }, ...shapes), ...letters];
  }
}

/** Put something at a step of a line of so many. */
export function at(element, step, steps) {
  element.style.setProperty("--at", step / Math.max(1, steps - 1));
  return element;
}
