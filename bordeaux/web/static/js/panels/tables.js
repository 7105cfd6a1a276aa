/** Tables of figures. */

import { el } from "../dom.js";

/** A table with a caption and columns; the first column is text, the others numbers. */
export function table(caption, columns, rows, className = "") {
  return el(
    "table",
    { class: className },
    el("caption", { text: caption }),
    el("thead", {}, el("tr", {}, ...columns.map((text) => el("th", { scope: "col", text })))),
    el(
      "tbody",
      {},
      ...rows.map(([first, ...others]) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, first),
          ...others.map((text) => el("td", { class: "number", text })),
        ),
      ),
    ),
  );
}
