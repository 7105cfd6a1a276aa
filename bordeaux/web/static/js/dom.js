/** Small helpers for building elements. Text from users only ever enters through textContent. */

/**
 * Make an element.
 * @param {string} name its tag
 * @param {Object} [attributes] attributes; `on` is a map of listeners, `text` the text content, `data` the
 *   dataset. Values false, null and undefined are left out, true gives an empty attribute.
 * @param {...(Node|string|null|false)} children
 */
export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** What tells of its changes, by events with a name and some detail. */
export class Source extends EventTarget {
  /** Call a function at each of some events. */
  on(names, act) {
    for (const name of names.split(" ")) this.addEventListener(name, act);
  }

  tell(name = "change", detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

const SVG = "http://www.w3.org/2000/svg";

/** The same for SVG. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/**
 * @param {*} element
 * @param {Object<string, any>} attributes as `el` takes them
 * @param {Array} children
 */
function filled(element, { on = {}, text, data = {}, ...attributes }, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(key, value === true ? "" : value);
  }
  if (text !== undefined && text !== null) element.textContent = text;
  Object.assign(element.dataset, data);
  for (const [type, listener] of Object.entries(on)) element.addEventListener(type, listener);
  element.append(...children.filter((child) => child || child === 0));
  return element;
}

/** A button that acts, never one that submits. */
export const button = (text, act, attributes = {}) => el("button", { type: "button", text, ...attributes, on: { click: act } });

/** A choice among pairs of a value and a text. */
export const select = (options, attributes = {}, value = null) =>
  el("select", attributes, ...options.map(([key, text]) => el("option", { value: key, text, selected: String(key) === String(value) })));

/** Give a choice other options; what is chosen stays if it is still there. */
export const fill = (choice, options) => choice.replaceChildren(...select(options, {}, choice.value).children);

/** A box to tick, in its label, whose `control` it is. */
export const tick = (text, change, checked = false) =>
  el("label", { class: "field" }, el("input", { type: "checkbox", checked, on: { change } }), el("span", { text }));

/** One of some radio buttons, with its name and what it means; `more` stands behind them. */
export const kind = (attributes, name, told, ...more) =>
  el(
    "label",
    { class: "kind" },
    el("input", { type: "radio", ...attributes }),
    el("span", {}, el("strong", { text: name }), told && el("span", { class: "hint", text: told })),
    ...more,
  );

/** A control of a form with what it is for, and a hint behind it. */
export const setting = (text, control, hint = "") =>
  el("label", { class: "setting" }, el("span", { class: "what", text }), control, hint && el("span", { class: "hint", text: hint }));

/** A power's name as people write it. */
export const titled = (power) => power.charAt(0) + power.slice(1).toLowerCase();

/** A text that begins with a capital letter. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The number by which the style sheet knows a power's colour: `--power-0` and on. */
export function colourOf(study, power) {
  return Math.max(0, study.powers.findIndex((each) => each.name === power));
}

/** The letter that stands for a power. */
export const letterOf = (study, power) => study.powers.find(({ name }) => name === power)?.letter ?? power.charAt(0);

/** The mark of a power: its letter on its colour, named for those who cannot see it. */
export const badge = (study, power) => mark(study, power, { role: "img", "aria-label": titled(power), title: titled(power) });

/** The same where the name of the power stands beside it, or names the control that it is in. */
export const mark = (study, power, /** @type {Object<string, string>} */ named = { "aria-hidden": "true" }) =>
  el("span", { class: `badge power-${colourOf(study, power)}`, text: letterOf(study, power), ...named });

/**
 * Put other children into an element; the keyboard's place stays where it was in it: at the child that is current, if
 * there is one, else at the control of the same number.
 */
export function refill(holder, ...children) {
  const controls = () => [...holder.querySelectorAll("button, input, select")];
  const at = holder.contains(document.activeElement) ? controls().indexOf(document.activeElement) : -1;
  holder.replaceChildren(...children);
  if (at < 0) return;
  const now = controls();
  (holder.querySelector("button[aria-current]") ?? now[Math.min(at, now.length - 1)] ?? holder).focus({ preventScroll: true });
}

/** Scroll a list, and nothing around it, until a child is in its middle, unless it is seen already; of a tall one the top is seen. */
export function intoSight(list, child) {
  const [box, view] = [child.getBoundingClientRect(), list.getBoundingClientRect()];
  const [above, below] = [box.top - view.top, box.bottom - view.bottom];
  if (above < 0 || below > -FADE) list.scrollTop += Math.min(above, (above + below) / 2);
}

/** Pixels at the end of a list that cannot be read. */
const FADE = 13;

const OWN_KEYS = ["Home", "End", "PageUp", "PageDown", " ", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];

/** Whether a key typed now belongs to a field and not to the page. */
export function typing(event) {
  const field = event.target instanceof HTMLElement && event.target.closest("input, textarea, select, [contenteditable]");
  if (!field) return false;
  // A slider or a box to tick takes few keys.
  return !["range", "checkbox", "radio"].includes(field.type) || OWN_KEYS.includes(event.key);
}
