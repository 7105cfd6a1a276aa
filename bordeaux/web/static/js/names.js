/**
 * Names and marks on the board: as large as the screen asks for. Marks and lines grow more slowly than the board where one
 * comes near, so that there is more of the board between them; names are written out where there is room.
 */

import { svg } from "./dom.js";
import { provinceOf } from "./words.js";

/** Pixels of the screen, and of the sheet as it is drawn. */
const LEAST = 11;
const DRAWN = 13.8;
/** Width of a letter of a tag and of a name, and height of a line, as parts of the size; how far the base line is below the middle. */
const WIDE = 0.82;
const NARROW = 0.62;
const HIGH = 0.84;
const RISE = 0.36;
/** What a unit and the mark of a centre cover of the sheet, from their middles. */
const UNIT = [17, 14];
const CENTRE = [6, 6];
/** Pixels of the screen for one of the sheet below which marks grow, and how large they become at most. */
const SMALL = 0.5;
const LARGEST = 1.35;
/** How much more slowly than the board names and marks grow, as exponents of the zoom. */
const NAMES = 0.6;
const MARKS = 0.5;
/** Sizes up to this have room everywhere: places on the sheet are made for them. */
const ROOM = 14.4;
/** From this zoom on names are written out where they have room. */
const NEAR = 1.5;
/** A name of more letters is written on two lines. */
const LINE = 10;

/**
 * Set the names of a picture, and how large its marks are, on the element of the board, as it is seen (`View`). `at` gives
 * where a location's unit stands, `told` the name of a province and how wide it is on the sheet; `full`: names are written
 * out from afar too.
 */
export function setNames(board, picture, { scale, zoom, size: sheet }, at, told, full) {
  if (!scale) return;
  const size = Math.max(LEAST, (DRAWN * scale) / zoom ** NAMES) / scale;
  const grown = Math.min(LARGEST, Math.max(1, (SMALL * zoom) / scale)) / zoom ** MARKS;
  board.style.setProperty("--name", `${size.toFixed(2)}px`);
  board.style.setProperty("--thin", grown.toFixed(3));
  const names = [...picture.querySelectorAll("text.name, text.waters")].map((text) => read(/** @type {SVGElement} */ (text), size));
  /** @type {function(number[], number[]): number[]} */
  const around = ([x, y], [wide, high]) => [x - wide * grown, y - high * grown, x + wide * grown, y + high * grown];
  const standing = [...picture.querySelectorAll("[data-stands]")].map((unit) => /** @type {SVGElement} */ (unit).dataset.stands);
  const units = standing.map((location) => around(at(location), UNIT));
  const occupied = new Set(standing.map(provinceOf));
  const centres = [...picture.querySelectorAll("circle.centre")].map((dot) => around([Number(dot.getAttribute("cx")), Number(dot.getAttribute("cy"))], CENTRE));
  const outside = (box) => box[0] < 0 || box[1] < 0 || box[2] > sheet[0] || box[3] > sheet[1];
  const crowded = size > ROOM;
  const taken = [];
  // Names of land come first, then of seas; coasts come last: their provinces are known by their names.
  for (const kind of ["land", "sea", "coast"]) {
    for (const name of names.filter((each) => each.kind === kind)) {
      /** @type {function(number[]): boolean} */
      const free = ([x, y]) => {
        const box = name.box(x, y);
        return !outside(box) && ![...units, ...taken].some((other) => meet(box, other));
      };
      const place = crowded ? beside(name, at(name.tag), occupied.has(name.tag), grown, size).find(free) : name.home;
      name.put(place ?? name.home, place !== undefined);
      if (place) taken.push(name.box(...place));
    }
  }
  if (!full && zoom < NEAR) return;
  const marks = [...units, ...centres];
  for (const name of names.filter((each) => each.shown && each.kind !== "coast")) {
    const { name: text, wide } = told(name.tag) ?? { name: "", wide: 0 };
    const lines = parts(text);
    const box = name.box(...name.place, lines);
    const fits = text && box[2] - box[0] <= wide && !outside(box) && !marks.some((other) => meet(box, other));
    if (fits && !names.some((other) => other !== name && other.shown && meet(box, other.at))) name.write(lines);
  }
}

/** A name as it stands in the picture, and what it covers. */
function read(text, size) {
  const { dataset } = text;
  dataset.tag ??= text.textContent;
  dataset.y ??= text.getAttribute("y");
  dataset.x ??= text.getAttribute("x");
  const drop = RISE * Number(text.getAttribute("font-size"));
  const name = {
    tag: dataset.tag,
    kind: text.classList.contains("coastal") ? "coast" : text.classList.contains("waters") ? "sea" : "land",
    home: [Number(dataset.x), Number(dataset.y) - drop],
    place: [0, 0],
    at: [0, 0, 0, 0],
    shown: true,
    box(x, y, lines = null) {
      const wide = (lines ? Math.max(...lines.map((line) => line.length)) * NARROW : name.tag.length * WIDE) * size;
      const high = (lines?.length ?? 1) * HIGH * size;
      return [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
    },
    put(place, shown) {
      const [x, y] = place;
      Object.assign(name, { place, at: name.box(x, y), shown });
      text.setAttribute("x", x);
      text.setAttribute("y", y + drop);
      text.style.setProperty("visibility", shown ? "visible" : "hidden");
      if (text.textContent !== name.tag) text.textContent = name.tag;
    },
    write(lines) {
      name.at = name.box(...name.place, lines);
      const dy = (n) => `${n ? 1 : (1 - lines.length) / 2}em`;
      text.replaceChildren(...lines.map((line, n) => svg("tspan", { x: name.place[0], dy: dy(n), text: line })));
    },
  };
  return name;
}

/** Where a name may stand on a crowded board: its own place, then where its unit would stand, or on each side of the unit. */
function beside({ home, tag }, [x, y], occupied, grown, size) {
  if (!occupied) return [home, [x, y]];
  const down = UNIT[1] * grown + (HIGH * size) / 2;
  const aside = UNIT[0] * grown + (tag.length * WIDE * size) / 2;
  return [home, [x, y + down], [x, y - down], [x + aside, y], [x - aside, y]];
}

/** A name in one line, or in two of similar lengths. */
function parts(text) {
  const words = text.split(" ");
  if (text.length <= LINE || words.length < 2) return [text];
  const breaks = words.slice(1).map((_, n) => [words.slice(0, n + 1).join(" "), words.slice(n + 1).join(" ")]);
  const longest = (pair) => Math.max(...pair.map((line) => line.length));
  return breaks.reduce((best, pair) => (longest(pair) < longest(best) ? pair : best));
}

const meet = (one, other) => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
