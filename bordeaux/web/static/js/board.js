/**
 * The board: the server's picture, and over it a layer of areas to click. Pictures carry no events of their own.
 *
 * The layer tells what happens as events of its own: `press` {place, event} for a click or Enter, `dragstart`,
 * `dragover`, `drop` {from, to, help} for a unit dragged, `dragend`.
 */

import { ApiError, notify, post } from "./api.js";
import { el, svg, titled } from "./dom.js";
import { look } from "./look.js";
import { setNames } from "./names.js";
import { View } from "./view.js";
import { provinceOf } from "./words.js";

/** A press that goes further than this, in pixels of the screen, is a drag. */
const DRAGGED = 7;
const PICTURES = 60;

export class Board extends EventTarget {
  #element;
  #store;
  #hits = new Map();
  #places = {};
  #picture = el("div", { class: "picture" });
  #layer = svg("svg", { class: "hits", role: "group", "aria-label": "Provinces" });
  #line = svg("line", { class: "dragline", "aria-hidden": "true" });
  #label = svg("text", { class: "written", "aria-hidden": "true" });
  #widths = new Map();
  #map = null;
  #drawn = 0;
  #pictures = new Map();
  #grabbed = null;
  /** What part of the board is seen. */
  view;
  /** Something else than the store's node that is drawn: a function that gives SVG, or null. */
  instead = null;
  /** Full names of provinces by tag. */
  names = {};

  constructor(element, store) {
    super();
    this.#element = element;
    this.#store = store;
    this.view = new View(element);
    this.view.addEventListener("change", () => this.#seen());
    look.addEventListener("change", () => this.#seen());
    element.append(this.#picture, this.#layer);
    this.#layer.addEventListener("pointerdown", (event) => this.#grab(event));
    this.#layer.addEventListener("pointermove", (event) => this.#drag(event));
    this.#layer.addEventListener("pointerup", (event) => this.#release(event));
    this.#layer.addEventListener("pointercancel", () => this.#letGo());
    this.#layer.addEventListener("pointerover", (event) => this.#name(event.pointerType === "mouse" ? event.target.closest?.(".hit")?.dataset.tag : null));
    this.#layer.addEventListener("pointerleave", () => this.#name(null));
    // A mouse leaves the keyboard's place alone, so that arrow keys go on stepping through phases.
    this.#layer.addEventListener("mousedown", (event) => event.preventDefault());
    this.#layer.addEventListener("keydown", (event) => this.#key(event));
    store.addEventListener("study", () => this.#lay(store.geometry));
    for (const name of ["node", "draft", "chosen", "preview", "heat"]) {
      store.addEventListener(name, () => this.draw());
    }
  }

  /** The element that holds the board. */
  get element() {
    return this.#element;
  }

  /** Lay the areas of a map, if they are not there. */
  #lay(geometry) {
    if (this.#map === geometry) return;
    const { size, regions, places } = geometry;
    this.#map = geometry;
    this.#places = places;
    this.#hits.clear();
    this.#widths.clear();
    document.getElementById("page").style.setProperty("--ratio", String(size[0] / size[1]));
    this.#layer.replaceChildren();
    this.view.lay(...size);
    const outlines = new Map();
    for (const region of regions.filter((each) => each.tag)) {
      outlines.set(region.tag, { ...region, path: (outlines.get(region.tag)?.path ?? "") + region.path });
    }
    this.names = Object.fromEntries([...outlines.values()].map((region) => [region.tag, region.name]));
    for (const region of outlines.values()) {
      const hit = svg("path", { d: region.path, class: "hit", role: "button", tabindex: "-1" }, svg("title"));
      hit.dataset.tag = region.tag;
      this.#hits.set(region.tag, hit);
      this.#layer.append(hit);
    }
    this.#layer.append(this.#line, this.#label);
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
    setNames(this.#element, this.picture, this.view, (location) => this.at(location), (tag) => this.#room(tag), look.names);
    this.#name(null);
  }

  /** The full name of a province, and how wide it is. */
  #room(tag) {
    const hit = this.#hits.get(tag);
    if (!hit) return undefined;
    if (!this.#widths.has(tag)) this.#widths.set(tag, hit.getBBox().width);
    return { name: this.names[tag], wide: this.#widths.get(tag) };
  }

  /** Write out the name of the province that is pointed at, in place of its tag; null ends that. */
  #name(tag) {
    const before = this.picture?.querySelector("text.named");
    if (before?.getAttribute("data-tag") === tag) return;
    before?.classList.remove("named");
    const short = tag && [...this.picture.querySelectorAll("text.tag")].find((text) => text.getAttribute("data-tag") === tag);
    this.#label.classList.toggle("drawn", Boolean(short));
    if (!short) return;
    short.classList.add("named");
    const [left, , width] = this.view.box.split(" ").map(Number);
    // Near the edge the name keeps to what is seen: half of it is as wide as half of its letters.
    const half = (this.names[tag].length * 0.31 + 0.5) * parseFloat(this.#element.style.getPropertyValue("--name"));
    const x = Math.min(Math.max(Number(short.getAttribute("x")), left + half), left + width - half);
    this.#label.setAttribute("x", String(x));
    this.#label.setAttribute("y", short.getAttribute("y"));
    this.#label.classList.toggle("sea", short.classList.contains("waters"));
    this.#label.textContent = this.names[tag];
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
    this.#element.classList.toggle("foreseen", this.#store.shownInstead !== null);
    this.#seen();
    this.#tell("drawn", {});
  }

  async #fetch() {
    const { study, node, chosen, shownInstead, heated } = this.#store;
    if (!node) return null;
    const asked = {};
    if (this.#store.compared) Object.assign(asked, this.#store.compared);
    else if (shownInstead) asked.orders = shownInstead;
    else if (chosen !== null) Object.assign(asked, { child: chosen, results: true });
    else {
      asked.orders = node.draft;
      // Orders that are written stand in place of the advised ones.
      const written = Object.fromEntries(Object.entries(node.draft).filter(([, orders]) => orders.length));
      const { advised } = this.#store;
      if (Object.keys(advised).some((power) => !written[power])) asked.better = { ...advised, ...written };
    }
    if (heated.kind) asked.heat = heated.kind;
    if (heated.kind && heated.power) asked.power = heated.power;
    const key = JSON.stringify([study.id, node.id, asked]);
    let text = this.#pictures.get(key);
    if (text === undefined) {
      text = await post(`${this.#store.path(node.id)}/picture`, asked);
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
    // Marked provinces lie on top, so that no neighbour covers their outline.
    for (const name of ["goal", "picked"]) {
      for (const tag of classes[name] ?? []) this.#raise(tag);
    }
  }

  #raise(tag) {
    const hit = this.#hits.get(tag);
    // Moving an element takes the focus from it.
    if (hit && hit !== document.activeElement) this.#layer.insertBefore(hit, this.#line);
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

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #key(event) {
    const tag = this.focused;
    // Shift+Enter is the page's: it carries out the orders.
    if (!tag || event.ctrlKey || event.metaKey || event.altKey || (event.shiftKey && event.key === "Enter")) return;
    const toward = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (toward) this.focus(this.#beside(tag, toward) ?? tag);
    else if ((event.key === "Enter" && !event.shiftKey) || event.key === " ") this.#tell("press", { place: tag, event });
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
    if (this.view.pinched) {
      this.#letGo();
      return;
    }
    if (grabbed.moves) {
      this.#moveBoard(event, grabbed);
      return;
    }
    if (!grabbed.moved) {
      if (Math.hypot(event.clientX - grabbed.x, event.clientY - grabbed.y) < DRAGGED) return;
      grabbed.moved = true;
      this.#layer.setPointerCapture(event.pointerId);
      this.#tell("dragstart", { from: grabbed.place, help: event.shiftKey });
    }
    const [x, y] = this.at(grabbed.place);
    const corner = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.#layer.getScreenCTM().inverse());
    for (const [name, value] of Object.entries({ x1: x, y1: y, x2: corner.x, y2: corner.y })) {
      this.#line.setAttribute(name, value);
    }
    this.#line.classList.add("drawn");
    this.#tell("dragover", { from: grabbed.place, to: this.#tagUnder(event), help: event.shiftKey });
  }

  #moveBoard(event, grabbed) {
    if (!grabbed.moved && Math.hypot(event.clientX - grabbed.x, event.clientY - grabbed.y) < DRAGGED) return;
    if (!grabbed.moved) this.#layer.setPointerCapture(event.pointerId);
    this.view.drag(event.clientX - grabbed.x, event.clientY - grabbed.y);
    Object.assign(grabbed, { x: event.clientX, y: event.clientY, moved: true });
  }

  #release(event) {
    const grabbed = this.#grabbed;
    this.#letGo();
    if (!grabbed || (grabbed.moves && grabbed.moved)) return;
    const place = this.#tagUnder(event);
    if (!grabbed.moved || place === grabbed.place) this.#tell("press", { place: grabbed.place, event });
    else if (place) this.#tell("drop", { from: grabbed.place, to: place, help: event.shiftKey, event });
  }

  #letGo() {
    if (this.#grabbed?.moved && !this.#grabbed.moves) this.#tell("dragend", {});
    this.#grabbed = null;
    this.#line.classList.remove("drawn");
  }
}

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
