/** Dialogs: one frame for all, which closes with Escape, its cross, or a click beside it. */

import { button, el } from "./dom.js";

/**
 * Show a dialog.
 * @param {string} title
 * @param {...(Node|null)} content
 * @returns {HTMLDialogElement} open, and taken out of the page when it closes
 */
export function dialog(title, ...content) {
  const heading = el("h2", { id: "dialog-title", text: title });
  const cross = button("×", () => box.close(), { class: "quiet", "aria-label": "Close" });
  const box = el("dialog", { "aria-labelledby": "dialog-title" }, el("header", {}, heading, cross), ...content);
  // News while a dialog is open is shown in the dialog, which covers the page.
  const news = document.getElementById("news");
  box.addEventListener("close", () => {
    if (news.parentElement === box) document.querySelector("header.top").insertBefore(news, document.getElementById("menu"));
    box.remove();
  });
  box.addEventListener("pointerdown", (event) => {
    const frame = box.getBoundingClientRect();
    const inside =
      event.clientX >= frame.left && event.clientX <= frame.right && event.clientY >= frame.top && event.clientY <= frame.bottom;
    if (event.target === box && !inside) box.close();
  });
  // Keys of the page do nothing while a dialog is open. One that is closed has the focus until it is taken out of the
  // page: a key that comes so soon is meant for the page.
  box.addEventListener("keydown", (event) => box.open && event.stopPropagation());
  box.addEventListener("cancel", (event) => {
    const focused = document.activeElement;
    if (event.target === box && focused instanceof HTMLElement && box.contains(focused)) focused.blur();
  });
  box.append(news);
  document.body.append(box);
  box.showModal();
  // The first field is where one begins, not the cross.
  box.querySelector("input, select, textarea, button.strong, button.danger, button.name")?.focus();
  box.scrollTop = 0;
  return box;
}

/** Ask before something is done that cannot be undone. Gives whether to do it. */
export function confirmed(question, action) {
  return new Promise((resolve) => {
    let sure = false;
    const box = dialog(
      question,
      el(
        "p",
        { class: "row ends" },
        button("Cancel", () => box.close()),
        button(action, () => {
          sure = true;
          box.close();
        }, { class: "danger" }),
      ),
    );
    box.classList.add("narrow");
    box.addEventListener("close", () => resolve(sure));
  });
}

/** Ask for a line of text. Gives it, or null where nothing was said. */
export function asked(title, label, value = "") {
  return new Promise((resolve) => {
    let said = null;
    const field = el("input", { id: "asked", value, maxlength: "200", required: true });
    const form = el(
      "form",
      {
        class: "fields",
        on: {
          submit: (event) => {
            event.preventDefault();
            said = field.value.trim() || null;
            box.close();
          },
        },
      },
      el("label", { for: "asked", text: label }),
      field,
      el("p", { class: "row ends" }, el("button", { type: "submit", class: "strong", text: "Save" })),
    );
    const box = dialog(title, form);
    box.classList.add("narrow");
    field.select();
    box.addEventListener("close", () => resolve(said));
  });
}
