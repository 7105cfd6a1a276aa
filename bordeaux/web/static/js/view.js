/** What part of the board is seen: the wheel and two fingers zoom, a drag moves it, keys and buttons do both. */

import { Source } from "./dom.js";

/** How near one may come, and how far one press of a button or a key goes. */
const NEAREST = 8;
const STEP = 1.4;
/** How much a pixel of the wheel zooms, as an exponent. */
const WHEEL = 0.0018;
const LINE = 16;

/** The part of a sheet that is seen in an element of the same shape; `change` is an event. */
export class View extends Source {
  /** Width and height of the sheet, and how near one is. */
  size = [1, 1];
  zoom = 1;
  #element;
  #x = 0;
  #y = 0;
  #fingers = new Map();

  constructor(element) {
    super();
    this.#element = element;
    element.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    // Captured, as areas of the board take what is theirs.
    element.addEventListener("pointerdown", (event) => this.#down(event), true);
    element.addEventListener("pointermove", (event) => this.#move(event), true);
    for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, (event) => this.#fingers.delete(event.pointerId), true);
    // Two fingers are the board's, not the browser's.
    element.addEventListener("touchmove", (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
    new ResizeObserver(() => this.tell()).observe(element);
  }

  /** Show the whole of a sheet of a size. */
  lay(size) {
    this.size = size;
    this.whole();
  }

  get zoomed() {
    return this.zoom > 1.001;
  }

  /** Whether two fingers are on the board. */
  get pinched() {
    return this.#fingers.size > 1;
  }

  /** The part that is seen, as SVG's viewBox. */
  get box() {
    const [width, height] = this.size;
    return [this.#x, this.#y, width / this.zoom, height / this.zoom].map((each) => each.toFixed(2)).join(" ");
  }

  /** Pixels of the screen for one of the sheet. */
  get scale() {
    return (this.#element.clientWidth / this.size[0]) * this.zoom;
  }

  whole() {
    this.#put(0, 0, 1);
  }

  /** Zoom by a factor around a point of the screen; the middle where none is given. */
  by(factor, at = null) {
    const box = this.#element.getBoundingClientRect();
    const [across, down] = at ? [(at.x - box.left) / box.width, (at.y - box.top) / box.height] : [0.5, 0.5];
    const zoom = Math.min(NEAREST, Math.max(1, this.zoom * factor));
    const [width, height] = this.size;
    const x = this.#x + across * (width / this.zoom - width / zoom);
    const y = this.#y + down * (height / this.zoom - height / zoom);
    this.#put(x, y, zoom);
  }

  nearer() {
    this.by(STEP);
  }

  farther() {
    this.by(1 / STEP);
  }

  /** Move the sheet by pixels of the screen. */
  drag(dx, dy) {
    this.#put(this.#x - dx / this.scale, this.#y - dy / this.scale, this.zoom);
  }

  /** See to it that a place of the sheet is seen, well within the frame. */
  show([x, y]) {
    const [wide, high] = this.size.map((each) => each / this.zoom);
    const margin = 0.12;
    const inside = (at, begin, length) => at > begin + margin * length && at < begin + (1 - margin) * length;
    if (inside(x, this.#x, wide) && inside(y, this.#y, high)) return;
    this.#put(x - wide / 2, y - high / 2, this.zoom);
  }

  #put(x, y, zoom) {
    const [width, height] = this.size;
    this.zoom = zoom;
    this.#x = Math.min(Math.max(0, x), width - width / zoom);
    this.#y = Math.min(Math.max(0, y), height - height / zoom);
    this.#element.classList.toggle("zoomed", this.zoomed);
    this.tell();
  }

  #wheel(event) {
    const turned = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE);
    // The page scrolls on where there is nothing to zoom out of.
    if (!turned || (turned > 0 && !this.zoomed)) return;
    event.preventDefault();
    this.by(Math.exp(-turned * WHEEL), { x: event.clientX, y: event.clientY });
  }

  #down(event) {
    if (event.pointerType === "touch") this.#fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  #move(event) {
    const before = this.#fingers.get(event.pointerId);
    if (!before) return;
    if (this.#fingers.size === 2) {
      const [other] = [...this.#fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const far = (at) => Math.hypot(at.x - other.x, at.y - other.y);
      const now = { x: event.clientX, y: event.clientY };
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      this.drag((now.x - before.x) / 2, (now.y - before.y) / 2);
      if (far(before) > 0) this.by(far(now) / far(before), middle);
    }
    this.#fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }
}
