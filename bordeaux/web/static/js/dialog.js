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
  const box = el("dialog", { "aria-labelledby": "dialog-title", closedby: "any" }, el("header", {}, heading, cross), ...content);
  // News while a dialog is open is shown in the dialog, which covers the page.
  const news = document.getElementById("news");
  box.addEventListener("close", () => {
    if (news.parentElement === box) document.querySelector("header.top").insertBefore(news, document.getElementById("menu"));
    box.remove();
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
    const end = (sure) => {
      resolve(sure);
      box.close();
    };
    const buttons = [button("Cancel", () => end(false)), button(action, () => end(true), { class: "danger" })];
    const box = dialog(question, el("p", { class: "row ends" }, ...buttons));
    box.classList.add("narrow");
    box.addEventListener("close", () => resolve(false));
  });
}

/** Ask with a form of some fields. `submit` gives false where the dialog stays open. */
export function asked(title, action, fields, submit) {
  const form = el("form", { class: "stack" }, ...fields, el("p", { class: "row ends" }, el("button", { class: "strong", text: action })));
  const box = dialog(title, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    form.inert = true;
    if ((await submit()) !== false) box.close();
    form.inert = false;
  });
  return box;
}
