/** Names and units on the board: large enough on any screen; names that have no room wait until one comes nearer. */

/** Pixels of the screen, and of the sheet as it is drawn. */
const LEAST = 11;
const DRAWN = 13.8;
/** Width of a letter and height of a line as parts of the size, and how far the base line is below the middle. */
const WIDE = 0.82;
const HIGH = 0.84;
const RISE = 0.36;
/** What a unit covers of the sheet, from its middle. */
const UNIT = [11, 8];
/** Pixels of the screen for one of the sheet below which units grow, and how large they become at most. */
const SMALL = 0.55;
const LARGEST = 1.6;
/** Sizes up to this have room everywhere: places on the sheet are made for them. */
const ROOM = 14.4;

/**
 * Set the names of a picture.
 * @param {SVGElement} picture
 * @param {number} scale pixels of the screen for one of the sheet
 * @param {number} zoom how near one is
 * @param {number[]} sheet its width and height
 * @param {function(string): [number, number]} at where a location's unit stands
 */
export function setNames(picture, scale, zoom, sheet, at) {
  if (!scale) return;
  // Names grow more slowly than the board, so that zooming in shows more of the board between them.
  const size = Math.max(LEAST, (DRAWN * scale) / zoom ** 0.6) / scale;
  const grown = Math.min(LARGEST, Math.max(1, SMALL / scale));
  picture.style.setProperty("--name", `${size.toFixed(2)}px`);
  picture.style.setProperty("--unit", grown.toFixed(3));
  const texts = /** @type {SVGElement[]} */ ([...picture.querySelectorAll("text.name, text.waters")]);
  const units = /** @type {SVGElement[]} */ ([...picture.querySelectorAll("[data-stands]")]);
  const [wide, high] = UNIT.map((each) => each * grown);
  const taken = size <= ROOM ? null : units.map((unit) => around(at(unit.dataset.stands), wide, high));
  // Coasts come last: their provinces are known by their names.
  for (const text of [...texts.filter((each) => !isCoast(each)), ...texts.filter(isCoast)]) {
    const x = Number(text.getAttribute("x"));
    const y = Number(text.getAttribute("y")) - RISE * Number(text.getAttribute("font-size"));
    const box = around([x, y], (text.textContent.length * WIDE * size) / 2, (HIGH * size) / 2);
    const outside = box[0] < 0 || box[1] < 0 || box[2] > sheet[0] || box[3] > sheet[1];
    const hidden = taken !== null && (outside || taken.some((other) => meet(box, other)));
    text.style.setProperty("visibility", hidden ? "hidden" : "visible");
    if (taken !== null && !hidden) taken.push(box);
  }
}

const isCoast = (text) => text.textContent === text.textContent.toLowerCase();
const around = ([x, y], wide, high) => [x - wide, y - high, x + wide, y + high];
const meet = (one, other) => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
