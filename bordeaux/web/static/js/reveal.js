/** Results before the next phase: moves glide over the board, then one goes on by a key, or by itself after a while. */

import { attempt } from "./api.js";
import { board } from "./board.js";
import { Source } from "./dom.js";
import { store } from "./store.js";
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
class Reveal extends Source {
  /** Nodes still to be shown, the one that is shown first. */
  #way = [];
  #timer = 0;
  /** What came of the orders that are shown, and since when units glide; null where they do not. */
  #gliding = null;
  /** Whether results stay until a key is pressed, as one has chosen before. */
  #stays = false;
  /** Whether the way is gone on by this itself. */
  #own = false;

  constructor() {
    super();
    store.on("resolved", ({ detail }) => this.#begin(detail));
    // A user who goes elsewhere, or gives orders, wants to see something else.
    store.on("node chosen draft", () => this.#own || this.#here() || this.#begin([]));
    // A picture that is drawn anew meanwhile, as where another tab changed something, goes on where the one before was.
    board.on("drawn", () => this.#glide());
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

  #here() {
    return store.node.id === this.#way[0] && store.chosen === this.#way[1];
  }

  /** Show the results of all nodes of a way but the last; none, where it has no next. */
  #begin(way) {
    if (!way.length && !this.#way.length) return;
    const child = way.length > 1 && store.node.next.find(({ id }) => id === way[1]);
    this.#stop();
    this.#gliding = null;
    this.#way = child ? way : [];
    this.tell();
    if (!child) return;
    board.addEventListener("drawn", () => this.#way === way && this.#play(child), { once: true });
    board.draw();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  #glide() {
    if (this.#gliding) glide(this.#gliding.child, performance.now() - this.#gliding.since);
  }

  #play(child) {
    // Who asks for less motion goes on by a key alone.
    if (still.matches) return;
    this.#gliding = { child, since: performance.now() };
    this.#glide();
    if (this.#stays) return;
    const failed = Object.values(child.results).filter((words) => words.length).length;
    const read = Math.min(MOST_MS, READ_MS + EACH_MS * failed);
    this.#timer = setTimeout(() => this.next(), GLIDE_MS + read);
    this.tell();
  }

  /** Show the next phase, and what came of it if that is known. */
  async next() {
    const [, to, ...rest] = this.#way;
    // In a game that is played more may have happened meanwhile.
    if (!rest.length && store.study.play) rest.push(...store.after(to).slice(1));
    this.#stop();
    this.#own = true;
    await attempt(() => store.goto(to, rest[0]));
    this.#own = false;
    this.#begin([to, ...rest]);
  }

  /** Stay at these results and at all that follow until a key is pressed, or no more. Gives whether results are shown. */
  stay() {
    if (!this.shown || still.matches) return false;
    this.#stays = this.timed;
    this.#stop();
    if (!this.#stays) this.next();
    this.tell();
    return true;
  }
}

export const reveal = new Reveal();

/**
 * Let the units of a picture go where their orders took them, and those that bounced halfway and back; `passed`
 * milliseconds of it have passed already.
 */
function glide(child, passed) {
  for (const [power, texts] of Object.entries(child.orders)) {
    for (const { text, verb, at, target } of texts.map(parse)) {
      const words = child.results[subject(text)] ?? [];
      if (!["-", "R"].includes(verb) || child.foreign[power]?.[subject(text)] || words.includes("void")) continue;
      const [attribute, mark] = verb === "R" ? ["data-out", "dislodged"] : ["data-stands", "unit"];
      const unit = [...board.picture.querySelectorAll(`[${attribute}]`)].find((each) => provinceOf(each.getAttribute(attribute)) === provinceOf(at));
      if (!unit) continue;
      const failed = words.some((word) => word !== "dislodged");
      const [x, y] = board.at(at, mark);
      const [u, v] = board.at(target);
      const part = failed ? HALF : 1;
      const none = "translate(0px, 0px)";
      const frames = [none, `translate(${(u - x) * part}px, ${(v - y) * part}px)`, ...(failed ? [none] : [])];
      unit.animate({ transform: frames }, { duration: GLIDE_MS, easing: "ease-in-out", fill: "forwards" }).currentTime = passed;
    }
  }
}
