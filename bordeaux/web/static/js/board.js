/**
 * The board: the server's picture, and over it a layer of areas to click. Pictures carry no events of their own.
 *
 * The layer tells what happens as events of its own: `press` {place, event} for a click or Enter, `dragover` and `drop` {from,
 * to, help} for a unit dragged, `dragend`.
 */

import { ApiError, notify, post } from "./api.js";
import { el, Source, svg, titled } from "./dom.js";
import { look } from "./look.js";
import { setNames } from "./names.js";
import { store } from "./store.js";
import { View } from "./view.js";
import { provinceOf } from "./words.js";

/** A press that goes further than this, in pixels of the screen, is a drag. */
const DRAGGED = 7;
const PICTURES = 60;

class Board extends Source {
  /** The element that holds the board, and the part of it that is seen. */
  element = document.getElementById("board");
  view = new View(this.element);
  /** Something else than the store's node that is drawn: a function that gives SVG, or null. */
  instead = null;
  /** Full names of provinces by tag. */
  names = {};
  #hits = new Map();
  #places = {};
  #picture = el("div", { class: "picture" });
  #layer = svg("svg", { class: "hits", role: "group", "aria-label": "Provinces" });
  #line = svg("line", { class: "dragline", "aria-hidden": "true" });
  #widths = new Map();
  #drawn = 0;
  #pictures = new Map();
  #grabbed = null;

  constructor() {
    super();
    this.view.on("change", () => this.#seen());
    look.on("change", () => this.#seen());
    this.element.append(this.#picture, this.#layer);
    this.#layer.addEventListener("pointerdown", (event) => this.#grab(event));
    this.#layer.addEventListener("pointermove", (event) => this.#drag(event));
    this.#layer.addEventListener("pointerup", (event) => this.#release(event));
    this.#layer.addEventListener("pointercancel", () => this.#letGo());
    // A mouse leaves the keyboard's place alone, so that arrow keys go on stepping through phases.
    this.#layer.addEventListener("mousedown", (event) => event.preventDefault());
    this.#layer.addEventListener("keydown", (event) => this.#key(event));
    store.on("map", () => this.#lay(store.geometry));
    store.on("node draft chosen preview heat", () => this.draw());
  }

  /** Lay the areas of a map. */
  #lay({ size, regions, places }) {
    this.#places = places;
    this.#hits.clear();
    this.#widths.clear();
    document.getElementById("page").style.setProperty("--ratio", String(size[0] / size[1]));
    this.view.lay(size);
    const outlines = new Map();
    for (const region of regions.filter((each) => each.tag)) {
      outlines.set(region.tag, { ...region, path: (outlines.get(region.tag)?.path ?? "") + region.path });
    }
    this.names = Object.fromEntries([...outlines.values()].map((region) => [region.tag, region.name]));
    for (const region of outlines.values()) {
      const data = { tag: region.tag };
      this.#hits.set(region.tag, svg("path", { d: region.path, class: "hit", role: "button", tabindex: "-1", data }, svg("title")));
    }
    this.#layer.replaceChildren(...this.#hits.values(), this.#line);
    this.#hits.values().next().value?.setAttribute("tabindex", "0");
  }

  /** The picture that is shown, or null before the first one. */
  get picture() {
    return this.#picture.firstElementChild;
  }

  /** The greatest heat that is drawn, as text; null where there is none. */
  get warmest() {
    return this.picture?.querySelector("[data-most]")?.dataset.most ?? null;
  }

  /** Show the part of the board that is to be seen. */
  #seen() {
    this.#layer.setAttribute("viewBox", this.view.box);
    if (!this.picture) return;
    this.picture.setAttribute("viewBox", this.view.box);
    setNames(this.element, this.picture, this.view, (location) => this.at(location), (tag) => this.#room(tag), look.names);
  }

  /** The full name of a province, and how wide it is. */
  #room(tag) {
    const hit = this.#hits.get(tag);
    if (!hit) return undefined;
    if (!this.#widths.has(tag)) this.#widths.set(tag, hit.getBBox().width);
    return { name: this.names[tag], wide: this.#widths.get(tag) };
  }

  /** Where a location's unit stands, on the picture. */
  at(location, mark = "unit") {
    const place = this.#places[location] ?? this.#places[provinceOf(location)];
    return place?.[mark] ?? place?.unit ?? [0, 0];
  }

  /** The coasts of a province, where it has more than one. */
  coastsOf(tag) {
    return Object.keys(this.#places).filter((place) => place.startsWith(`${tag}/`));
  }

  /** Draw what the store shows. Pictures come in any order; the newest one asked for stays. */
  async draw() {
    const drawn = ++this.#drawn;
    let text = null;
    try {
      text = this.instead ? await this.instead() : await this.#fetch();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Nodes that were removed meanwhile are not drawn. Errors of orders are shown with the orders.
      if (error.status !== 404) notify(error.message, "bad");
    }
    if (drawn !== this.#drawn || !text) return;
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (parsed.nodeName !== "svg") return;
    for (const size of ["width", "height"]) parsed.removeAttribute(size);
    this.#picture.replaceChildren(document.adoptNode(parsed));
    this.element.classList.toggle("foreseen", store.shownInstead !== null);
    this.#seen();
    this.tell("drawn", {});
  }

  async #fetch() {
    const { study, node, chosen, shownInstead, heated, compared, advised } = store;
    if (!node) return null;
    const asked = {};
    if (compared) Object.assign(asked, compared);
    else if (shownInstead) asked.orders = shownInstead;
    else if (chosen !== null) asked.child = chosen;
    else {
      asked.orders = node.draft;
      // Orders that are written stand in place of the advised ones.
      const written = Object.fromEntries(Object.entries(node.draft).filter(([, orders]) => orders.length));
      if (Object.keys(advised).some((power) => !written[power])) asked.better = { ...advised, ...written };
    }
    if (heated.kind) asked.heat = heated.kind;
    if (heated.kind && heated.power) asked.power = heated.power;
    const key = JSON.stringify([study.id, node.id, asked]);
    let text = this.#pictures.get(key);
    if (text === undefined) {
      text = await post(`${store.here}/picture`, asked);
      this.#pictures.set(key, text);
      if (this.#pictures.size > PICTURES) this.#pictures.delete(this.#pictures.keys().next().value);
    }
    return text;
  }

  /**
   * Say of every province what stands there and what a click means.
   * @param {function(string): string} named a province's name for those who listen, by its tag
   */
  describe(named) {
    for (const [tag, hit] of this.#hits) {
      const name = named(tag);
      hit.setAttribute("aria-label", name);
      hit.firstElementChild.textContent = name;
    }
  }

  /** Mark provinces: `classes` gives for each class a set of tags. */
  mark(classes) {
    for (const [tag, hit] of this.#hits) {
      for (const [name, tags] of Object.entries(classes)) hit.classList.toggle(name, tags.has(tag));
    }
    // Marked provinces lie on top, so that no neighbour covers their outline. Moving an element takes the focus from it.
    for (const tag of [...(classes.goal ?? []), ...(classes.picked ?? [])]) {
      const hit = this.#hits.get(tag);
      if (hit && hit !== document.activeElement) this.#line.before(hit);
    }
  }

  /** Point out a province for as long as something beside the board speaks of it; null ends that. */
  point(tag) {
    for (const [each, hit] of this.#hits) hit.classList.toggle("pointed", each === tag);
  }

  /** Put the keyboard's place on a province. */
  focus(tag) {
    const hit = this.#hits.get(tag);
    if (!hit) return;
    for (const each of this.#hits.values()) each.setAttribute("tabindex", each === hit ? "0" : "-1");
    this.view.show(this.at(tag));
    hit.focus({ preventScroll: this.view.zoomed });
  }

  /** The province that has the keyboard's place, or null. */
  get focused() {
    return document.activeElement?.closest?.(".hit")?.getAttribute("data-tag") ?? null;
  }

  #key(event) {
    const tag = this.focused;
    // Shift+Enter is the page's: it carries out the orders.
    if (!tag || event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter")) return;
    const toward = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (toward) this.focus(this.#beside(tag, toward) ?? tag);
    else if ((event.key === "Enter" && !event.shiftKey) || event.key === " ") this.tell("press", { place: tag, event });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The nearest province in a direction: near, and not far aside. */
  #beside(from, [dx, dy]) {
    const [x, y] = this.at(from);
    let best = null;
    let least = Infinity;
    for (const tag of this.#hits.keys()) {
      const [u, v] = this.at(tag);
      const along = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      const far = along + 2.2 * aside;
      if (along > 4 && aside <= 1.6 * along && far < least) [best, least] = [tag, far];
    }
    return best;
  }

  #tagUnder(event) {
    return document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".hit")?.getAttribute("data-tag") ?? null;
  }

  #grab(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    const place = event.target.closest?.(".hit")?.dataset.tag;
    if (!place) return;
    // A zoomed board is moved by dragging anything but a unit that can be ordered.
    const moves = this.view.zoomed && !event.target.closest(".hit.orderable");
    this.#grabbed = { place, x: event.clientX, y: event.clientY, moved: false, moves };
  }

  #drag(event) {
    const grabbed = this.#grabbed;
    if (!grabbed) return;
    if (this.view.pinched) return this.#letGo();
    const [dx, dy] = [event.clientX - grabbed.x, event.clientY - grabbed.y];
    if (!grabbed.moved && Math.hypot(dx, dy) < DRAGGED) return;
    if (!grabbed.moved) this.#layer.setPointerCapture(event.pointerId);
    grabbed.moved = true;
    if (grabbed.moves) {
      this.view.drag(dx, dy);
      Object.assign(grabbed, { x: event.clientX, y: event.clientY });
      return;
    }
    const [x, y] = this.at(grabbed.place);
    const corner = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.#layer.getScreenCTM().inverse());
    for (const [name, value] of Object.entries({ x1: x, y1: y, x2: corner.x, y2: corner.y })) {
      this.#line.setAttribute(name, value);
    }
    this.#line.classList.add("drawn");
    this.tell("dragover", { from: grabbed.place, to: this.#tagUnder(event), help: event.shiftKey });
  }

  #release(event) {
    const grabbed = this.#grabbed;
    this.#letGo();
    if (!grabbed || (grabbed.moves && grabbed.moved)) return;
    const place = this.#tagUnder(event);
    if (!grabbed.moved || place === grabbed.place) this.tell("press", { place: grabbed.place, event });
    else if (place) this.tell("drop", { from: grabbed.place, to: place, help: event.shiftKey, event });
  }

  #letGo() {
    if (this.#grabbed?.moved && !this.#grabbed.moves) this.tell("dragend", {});
    this.#grabbed = null;
    this.#line.classList.remove("drawn");
  }
}

export const board = new Board();

/** What stands in a province, for its name: "Paris, France, army; centre of France". */
export function standing(node, tag, name) {
  const units = node.units.filter((unit) => unit.province === tag);
  const told = units.map((unit) => {
    const kind = unit.kind === "A" ? "army" : "fleet";
    return `${titled(unit.power)}, ${kind}${unit.dislodged ? ", dislodged" : ""}`;
  });
  const owner = node.owners[tag];
  if (owner) told.push(`centre of ${titled(owner)}`);
  else if (owner === null) told.push("centre of nobody");
  return [name, ...told].join("; ");
}
