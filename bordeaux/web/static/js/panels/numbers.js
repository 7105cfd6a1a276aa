/** Numbers as the panels write them, short and of even width, and tables of them. */

import { el } from "../dom.js";

const NARROW = "\u202f";
const NONE = "–";
const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/** A part of one with its standard error: `15 ± 0.8 %`, `28 ± 2 %`; one that is certain, or nearly so, has none. */
export function within(part, error) {
  const wide = (100 * error).toFixed(100 * error < 0.95 ? 1 : 0);
  return error > 0 && wide !== "0.0" ? percent(part).replace(NARROW, ` ± ${wide}${NARROW}`) : percent(part);
}

/** A part of one as per cent: `84 %`. A part that rounds to 0 or to all, but is not, is shown as such. */
export function percent(part) {
  if (!isNumber(part)) return NONE;
  if (part > 0 && part < 0.005) return `<1${NARROW}%`;
  if (part < 1 && part >= 0.995) return `>99${NARROW}%`;
  return `${Math.round(part * 100)}${NARROW}%`;
}

/** A count that may be large: `25.2K`, `1.31M`. */
export const many = (count) => (isNumber(count) ? short.format(count) : NONE);

/** Seconds as people say them: `0.5 s`, `12 s`, `2:05 min`. */
export function duration(seconds) {
  if (!isNumber(seconds)) return NONE;
  if (seconds < 9.95) return `${seconds.toFixed(1)}${NARROW}s`;
  if (seconds < 59.5) return `${Math.round(seconds)}${NARROW}s`;
  const all = Math.round(seconds);
  return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, "0")}${NARROW}min`;
}

/** A table with a caption and columns; the first column is text, the others numbers. */
export function table(caption, columns, rows) {
  return el(
    "table",
    {},
    el("caption", { text: caption }),
    el("thead", {}, el("tr", {}, ...columns.map((text) => el("th", { scope: "col", text })))),
    el(
      "tbody",
      {},
      ...rows.map(([first, ...others]) =>
        el("tr", {}, el("th", { scope: "row" }, first), ...others.map((text) => el("td", { class: "number", text }))),
      ),
    ),
  );
}
