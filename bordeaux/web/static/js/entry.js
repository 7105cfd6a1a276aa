/**
 * How clicks become orders. Pure: it knows the legal orders of a position and nothing of the page.
 *
 * Every legal order has a way: the provinces to click for it in a mode. Clicks so far are a beginning of ways; what can
 * follow lights up; where a way is whole, the orders that have it are found, mostly one, else there is a choice.
 */

import { parse, placeName, provinceOf, subject } from "./words.js";

/** The names of the modes of a phase; the first one is where every order begins. The key of each is its first letter. */
export const MODES = {
  M: { move: "Move", support: "Support", convoy: "Convoy", hold: "Hold" },
  R: { move: "Retreat", disband: "Disband" },
  A: { move: "Build or disband" },
  "": {},
};

/** The provinces to click for an order in a mode, or null where the mode does not give it. */
function wayOf(order, mode, phaseKind) {
  if (order.verb === "WAIVE") return null;
  const at = provinceOf(order.at);
  const target = order.target && provinceOf(order.target);
  const helped = order.helped && provinceOf(order.helped);
  if (order.verb === "B") return mode === "move" ? [at] : null;
  if (order.verb === "D") {
    if (mode === "disband") return [at];
    if (mode !== "move") return null;
    return phaseKind === "A" ? [at] : [at, at];
  }
  if (order.verb === "R") return mode === "move" ? [at, target] : null;
  if (order.verb === "H") return mode === "hold" ? [at] : mode === "move" ? [at, at] : null;
  if (order.verb === "-") return mode === "move" || (mode === "convoy" && order.via) ? [at, target] : null;
  if (order.verb === "S") return mode === "support" ? [at, helped, target ?? helped] : null;
  return mode === "convoy" ? [at, helped, target] : null;
}

/** One phase of order entry. */
export class Entry {
  #given;
  #powerAt;
  /** Ways from province to province that need no convoy. */
  #byLand;

  /**
   * @param {Object<string, string[]>} legal orders by location
   * @param {"M"|"R"|"A"|""} phaseKind
   * @param {*} seat functions: whether the orders of a location are `allowed`, the orders `given` so far by power, and the
   *   `powerAt` a province
   */
  constructor(legal, phaseKind, { allowed, given, powerAt }) {
    this.phaseKind = phaseKind;
    this.#given = given;
    this.#powerAt = powerAt;
    this.orders = Object.entries(legal)
      .filter(([location]) => allowed(location))
      .flatMap(([, texts]) => texts.map(parse))
      .filter((order) => order.verb !== "WAIVE");
    const land = this.orders.filter(({ verb, via }) => verb === "-" && !via);
    this.#byLand = new Set(land.map((order) => wayOf(order, "move", phaseKind).join()));
    this.mode = "move";
    this.clicked = [];
  }

  /** Provinces whose unit, or home, can be ordered. */
  get orderable() {
    return new Set(this.orders.map((order) => provinceOf(order.at)));
  }

  /** Orders and their ways that go on from the clicks so far. Neighbours are gone to by land; a convoy there has a mode of its own. */
  #open(clicked = this.clicked, mode = this.mode) {
    return this.orders
      .map((order) => ({ order, way: wayOf(order, mode, this.phaseKind) }))
      .filter(({ way }) => way && clicked.every((province, n) => way[n] === province))
      .filter(({ order, way }) => !(order.via && mode === "move" && this.#byLand.has(way.join())));
  }

  /** The written orders, each with the power that gives it. */
  #written() {
    return Object.entries(this.#given()).flatMap(([power, texts]) => texts.map((text) => ({ ...parse(text), power })));
  }

  /** Where the unit in a province is ordered to go; the province itself where it stays. */
  goalOf(province) {
    const own = this.#written().find(({ at }) => at && provinceOf(at) === province);
    return own?.verb === "-" ? provinceOf(own.target) : province;
  }

  /** Supports that a drop on a province may mean: of what the unit there does, else of what goes there. */
  #supportsAt(from, to) {
    const supports = this.#open([from], "support");
    const standing = supports.filter(({ way }) => way[1] === to);
    const into = supports.filter(({ way }) => way[1] !== to && way[2] === to);
    // Who goes where another's unit stands is helped, and not the other.
    const coming = this.#written()
      .filter(({ verb, target, power }) => verb === "-" && provinceOf(target) === to && !(standing.length && power === this.#powerAt(to)))
      .map(({ at }) => provinceOf(at));
    const ordered = into.filter(({ way }) => coming.includes(way[1]));
    if (ordered.length) return ordered;
    return standing.length ? standing.filter(({ way }) => way[2] === this.goalOf(to)) : into;
  }

  /** Provinces that the next click may mean: before the first one, the units that have such an order. */
  goals() {
    const next = this.clicked.length;
    const ends = this.#open().filter(({ way }) => way.length > next).map(({ way }) => way[next]);
    return new Set(this.#toldAgain().length ? [...ends, this.clicked[1]] : ends);
  }

  /** The supports that the supported unit, clicked again, means: of what it is ordered to do. */
  #toldAgain() {
    const [from, helped] = this.clicked;
    return this.mode === "support" && this.clicked.length === 2 ? this.#open([from, helped, this.goalOf(helped)]) : [];
  }

  /** Click a province; gives the orders that are meant: one is given, several are a choice, none: go on clicking. */
  click(province) {
    if (!this.goals().has(province)) {
      // Elsewhere: begin again with what is there, or with nothing.
      const again = this.clicked.length > 0;
      const mode = this.mode;
      this.cancel();
      if (again && this.orderable.has(province)) {
        this.mode = this.#open([province], mode).length ? mode : "move";
        return this.click(province);
      }
      return [];
    }
    const again = this.mode === "support" && province === this.clicked[1] ? this.#toldAgain() : null;
    this.clicked.push(province);
    const found = again ?? this.#open().filter(({ way }) => way.length === this.clicked.length);
    if (!found.length && !again) return [];
    this.cancel();
    return found.map(({ order }) => order.text);
  }

  /**
   * Drag from a unit to a province: a move or a retreat; with `help` a support of what the unit there is ordered to do,
   * or of what goes there. Gives orders as `click` does.
   */
  drag(from, to, help) {
    const mode = this.mode === "convoy" ? "convoy" : "move";
    this.cancel();
    const found = help
      ? this.#supportsAt(from, to)
      : this.#open([from, to], mode).filter(({ way }) => way.length === 2 && from !== to);
    return found.map(({ order }) => order.text);
  }

  /** Where such a drag from a unit may end. */
  dragGoals(from, help) {
    if (help) return new Set(this.#open([from], "support").flatMap(({ way }) => [way[1], way[2]]));
    const mode = this.mode === "convoy" ? "convoy" : "move";
    const ends = this.#open([from], mode).filter(({ way }) => way.length === 2).map(({ way }) => way[1]);
    return new Set(ends.filter((end) => end !== from));
  }

  /** Change what the next clicks mean; a unit that was clicked stays so, if it has such an order. */
  setMode(mode) {
    this.mode = mode;
    this.clicked = this.clicked.slice(0, 1);
    if (!this.#open().length) this.clicked = [];
    // A hold needs no more than its unit.
    const whole = this.#open().filter(({ way }) => this.clicked.length && way.length === this.clicked.length);
    if (whole.length) this.cancel();
    return whole.map(({ order }) => order.text);
  }

  /**
   * What a convoy needs beside an order that is given: the move of the army, or the fleet if only one can carry it. It is
   * of the same power, and of a unit that has no order yet; null where there is none.
   */
  partner(text) {
    const given = parse(text);
    const army = given.verb === "C" ? given.helped : given.via ? given.at : null;
    if (army === null) return null;
    const power = this.#powerAt(provinceOf(given.at));
    const ordered = new Set(this.#written().map(({ at }) => at));
    const found = this.orders.filter(
      ({ verb, via, at, helped, target }) =>
        (given.via ? verb === "C" && helped === army : via && at === army) &&
        target === given.target && !ordered.has(at) && this.#powerAt(provinceOf(at)) === power,
    );
    return found.length === 1 ? found[0].text : null;
  }

  /** Forget the clicks so far. */
  cancel() {
    this.clicked = [];
    this.mode = "move";
  }

  /** What to do next, in words. `names` gives full names by tag. */
  told(names) {
    const [unit, helped] = this.clicked.map((province) => placeName(province, names));
    const goals = this.goals();
    if (!this.orders.length) return "No orders are due in this phase.";
    if (this.phaseKind === "A") return "Click a home centre to build there, or a unit to disband it.";
    if (this.phaseKind === "R") {
      if (this.mode === "disband") return "Click the dislodged unit that disbands.";
      return unit ? `${unit}: click where it retreats to, or click it again to disband it.` : "Click a dislodged unit.";
    }
    if (this.mode === "hold") return "Hold: click the unit.";
    if (this.mode === "support") {
      const again = goals.has(this.clicked[1]) ? `, or click ${helped} again for what it is ordered to do` : "";
      if (helped) return `${unit} supports ${helped}: click where to${again}.`;
      if (unit) return goals.size ? `${unit} supports: click the unit to help.` : `${unit} can support nobody.`;
      return "Support: click the unit that supports.";
    }
    if (this.mode === "convoy") {
      if (helped) return `${unit} convoys ${helped}: click where to.`;
      if (unit) return `${unit}: click the army to carry, or where the army goes by convoy.`;
      return "Convoy: click the fleet that carries, or the army that is carried.";
    }
    return unit ? `${unit}: click where it moves, or click it again to hold.` : "Click a unit, or drag it.";
  }
}

/** Supports and convoys, of orders by power, whose unit is ordered otherwise. */
export function misfits(orders) {
  const given = Object.values(orders).flat().map(parse);
  const province = (location) => provinceOf(location ?? "");
  return given
    .filter(({ verb, helped, target }) => {
      const other = (verb === "S" || verb === "C") && given.find(({ at }) => at && province(at) === province(helped));
      if (!other) return false;
      return target === null ? other.verb === "-" : other.verb !== "-" || province(other.target) !== province(target);
    })
    .map(({ text }) => text);
}

/** Orders for one unit or home are one; a second one takes the place of the first. */
export const sameUnit = (a, b) => subject(a) !== "" && provinceOf(a.split(" ")[1]) === provinceOf(b.split(" ")[1] ?? "");

/** A power's orders with one more; the oldest goes where there are more than are due at `most`. */
export function withOrder(orders, order, most = null) {
  const kept = [...orders.filter((each) => !sameUnit(order, each)), order];
  return most === null ? kept : kept.slice(-most);
}

/** Orders of an adjustment are taken back by giving them again. */
export function toggled(orders, order, most) {
  return orders.includes(order) && order !== "WAIVE"
    ? orders.filter((each) => each !== order)
    : withOrder(orders, order, most);
}
