/** Results before the next phase: moves glide over the board, then one goes on by a key, or by itself after a while. */

import { attempt } from "./api.js";
import { parse, provinceOf, subject } from "./words.js";

const GLIDE_MS = 900;
/** How long results are shown, in all and for each order that failed, and at most. */
const READ_MS = 1400;
const EACH_MS = 350;
const MOST_MS = 4500;
/** Who bounces comes so far. */
const HALF = 0.45;

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Shows the results of phases; `change` says that it began or ended. */
export class Reveal extends EventTarget {
  #store;
  #board;
  /** Nodes still to be shown, the one that is shown first. */
  #way = [];
  #timer = 0;
  /** What came of the orders that are shown, and since when units glide; null where they do not. */
  #gliding = null;
  /** Whether results stay until a key is pressed, as one has chosen before. */
  #stays = false;
  /** Whether the way is gone on by this itself. */
  #own = false;

  constructor(store, board) {
    super();
    this.#store = store;
    this.#board = board;
    store.addEventListener("resolved", ({ detail }) => this.#begin(detail.way));
    // A user who goes elsewhere, or gives orders, wants to see something else.
    for (const name of ["node", "chosen", "draft"]) store.addEventListener(name, () => this.#own || this.#here() || this.#end());
    // A picture that is drawn anew meanwhile, as where another tab changed something, goes on where the one before was.
    board.addEventListener("drawn", () => this.#glide());
    store.results = () => {
      if (!this.shown) return false;
      this.next();
      return true;
    };
  }

  /** Whether results are shown and a next phase follows. */
  get shown() {
    return this.#way.length > 1;
  }

  /** Whether the next phase comes by itself. */
  get timed() {
    return this.#timer !== 0;
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }

  #here() {
    return this.#store.node.id === this.#way[0] && this.#store.chosen === this.#way[1];
  }

  #begin(way) {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#gliding = null;
    this.#way = way;
    this.#tell();
    if (!this.shown) return;
    const [from, to] = way;
    const child = this.#store.node.next.find(({ id }) => id === to);
    if (!child) {
      this.#end();
      return;
    }
    const begin = () => this.#way === way && this.#play(child, from);
    this.#board.addEventListener("drawn", begin, { once: true });
    this.#board.draw();
  }

  #glide() {
    if (this.#gliding) glide(this.#board, this.#gliding.child, performance.now() - this.#gliding.since);
  }

  #play(child, from) {
    // Who asks for less motion goes on by a key alone.
    if (still.matches) return;
    this.#gliding = { child, since: performance.now() };
    this.#glide();
    if (this.#stays) return;
    const failed = Object.values(child.results).filter((words) => words.length).length;
    const read = Math.min(MOST_MS, READ_MS + EACH_MS * failed);
    this.#timer = setTimeout(() => this.#way[0] === from && this.next(), GLIDE_MS + read);
    this.#tell();
  }

  /** Show the next phase, and what came of it if that is known. */
  async next() {
    const [, to, ...rest] = this.#way;
    // In a game that is played more may have happened meanwhile.
    if (!rest.length && this.#store.study.play) rest.push(...this.#after(to));
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#own = true;
    try {
      await attempt(() => this.#store.goto(to, rest[0]));
    } finally {
      this.#own = false;
    }
    this.#begin([to, ...rest]);
  }

  #after(id) {
    const after = [];
    for (let node = this.#store.branch(id); node?.children.length; node = this.#store.branch(after.at(-1))) after.push(node.children[0]);
    return after;
  }

  /** Stay at these results and at all that follow until a key is pressed, or no more. Gives whether results are shown. */
  stay() {
    if (!this.shown || still.matches) return false;
    this.#stays = this.timed;
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (!this.#stays) this.next();
    this.#tell();
    return true;
  }

  #end() {
    if (!this.#way.length) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#gliding = null;
    this.#way = [];
    this.#tell();
  }
}

/**
 * Let the units of a picture go where their orders took them, and those that bounced halfway and back; `passed`
 * milliseconds of it have passed already.
 */
function glide(board, child, passed) {
  const moved = new Set();
  for (const [power, texts] of Object.entries(child.orders)) {
    for (const order of texts.map(parse)) {
      if (child.foreign[power]?.[subject(order.text)]) continue;
      if (order.verb !== "-" && order.verb !== "R") continue;
      const out = order.verb === "R";
      const attribute = out ? "data-out" : "data-stands";
      const unit = [...board.picture.querySelectorAll(`[${attribute}]`)].find((each) => provinceOf(each.getAttribute(attribute)) === provinceOf(order.at));
      if (!unit || moved.has(unit)) continue;
      moved.add(unit);
      const words = child.results[subject(order.text)] ?? [];
      const failed = words.some((word) => word !== "dislodged");
      const [x, y] = board.at(order.at, out ? "dislodged" : "unit");
      const [u, v] = board.at(order.target);
      const part = failed ? HALF : 1;
      const there = `translate(${(u - x) * part}px, ${(v - y) * part}px)`;
      const none = "translate(0px, 0px)";
      if (words.includes("void")) continue;
      const movement = unit.animate(failed ? [{ transform: none }, { transform: there }, { transform: none }] : [{ transform: none }, { transform: there }], {
        duration: GLIDE_MS,
        easing: "ease-in-out",
        fill: "forwards",
      });
      movement.currentTime = passed;
    }
  }
}
