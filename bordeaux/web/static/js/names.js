/** Names on the board: at least so many pixels high on any screen; those that have no room wait until one comes nearer. */

/** Pixels of the screen, and of the sheet as it is drawn. */
const LEAST = 11;
const DRAWN = 13.8;
/** Width of a letter and height of a line as parts of the size, and how far the base line is below the middle. */
const WIDE = 0.74;
const HIGH = 0.84;
const RISE = 0.36;
/** What a unit covers of the sheet, from its middle. */
const UNIT = [11, 8];
/** Sizes up to this have room everywhere: places on the sheet are made for them. */
const ROOM = 14.4;

/**
 * Set the names of a picture.
 * @param {SVGElement} picture
 * @param {number} scale pixels of the screen for one of the sheet
 * @param {number} zoom how near one is
 * @param {function(string): number[]} at where a location's unit stands
 */
export function setNames(picture, scale, zoom, at) {
  if (!scale) return;
  // Who comes nearer sees larger names, but sooner more of the board between them.
  const size = Math.max(LEAST, (DRAWN * scale) / zoom ** 0.6) / scale;
  picture.style.setProperty("--name", `${size.toFixed(2)}px`);
  const texts = [...picture.querySelectorAll("text.name, text.waters")];
  const taken = size <= ROOM ? null : [...picture.querySelectorAll("[data-stands]")].map((unit) => around(at(unit.dataset.stands), ...UNIT));
  // Coasts come last: their provinces are known by their names.
  for (const text of [...texts.filter((each) => !isCoast(each)), ...texts.filter(isCoast)]) {
    const x = Number(text.getAttribute("x"));
    const y = Number(text.getAttribute("y")) - RISE * Number(text.getAttribute("font-size"));
    const box = around([x, y], (text.textContent.length * WIDE * size) / 2, (HIGH * size) / 2);
    const hidden = taken !== null && taken.some((other) => meet(box, other));
    text.style.setProperty("visibility", hidden ? "hidden" : "visible");
    if (taken !== null && !hidden) taken.push(box);
  }
}

const isCoast = (text) => text.textContent === text.textContent.toLowerCase();
const around = ([x, y], wide, high) => [x - wide, y - high, x + wide, y + high];
const meet = (one, other) => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
