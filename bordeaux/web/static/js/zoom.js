/** A board twice as large, seen through a frame that is moved by scrolling: for small screens and small provinces. */

import { button } from "./dom.js";

/** Put the switch into an element. */
export function mountZoom(element, board) {
  const zoom = button("Zoom", turn, { "aria-pressed": "false", class: "quiet zoom", title: "A board twice as large" });

  function turn() {
    const large = board.classList.toggle("large");
    zoom.setAttribute("aria-pressed", String(large));
    // From the middle of the board outwards.
    board.scrollTo((board.scrollWidth - board.clientWidth) / 2, (board.scrollHeight - board.clientHeight) / 2);
  }

  element.append(zoom);
}
