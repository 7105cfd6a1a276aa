/** Dialogs: one frame for all, which closes with Escape, its cross, or a click beside it. */

import { button, el } from "./dom.js";

/**
 * Show a dialog.
 * @param {string} title
 * @param {...Node} content
 * @returns {HTMLDialogElement} open, and taken out of the page when it closes
 */
export function dialog(title, ...content) {
  const heading = el("h2", { id: "dialog-title", text: title });
  const box = el("dialog", { "aria-labelledby": "dialog-title" });
  const cross = button("×", () => box.close(), { class: "quiet", "aria-label": "Close" });
  box.append(el("header", {}, heading, cross), ...content);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("pointerdown", (event) => {
    const frame = box.getBoundingClientRect();
    const inside =
      event.clientX >= frame.left && event.clientX <= frame.right && event.clientY >= frame.top && event.clientY <= frame.bottom;
    if (event.target === box && !inside) box.close();
  });
  // Keys of the page do nothing while a dialog is open.
  box.addEventListener("keydown", (event) => event.stopPropagation());
  document.body.append(box);
  box.showModal();
  return box;
}
