/** What was said in the phase that is shown; in a game that is played, the line to write. */

import { attempt, notify, post } from "../api.js";
import { badge, el, titled } from "../dom.js";
import { store } from "../store.js";
import { powerBoxes } from "./agreements.js";

export const id = "talks";
export const title = "Talks";

export function mount(element) {
  const list = el("ol", { class: "talks", "aria-label": "What was said", tabindex: "0" });
  const none = el("p", { class: "hint" });
  const desk = el("div");
  element.classList.add("talking");
  element.append(none, list, desk);
  let seat = null;

  function show() {
    const messages = store.node?.messages ?? [];
    list.replaceChildren(...messages.map(letter));
    list.hidden = !messages.length;
    none.hidden = messages.length > 0;
    none.textContent = spoken() ? "Nothing has been said yet in this phase." : "Nothing was said in this phase.";
    list.scrollTop = list.scrollHeight;
    showDesk();
  }

  /** Whether there is something to be said here: at the end of a game with press that is being played. */
  function spoken() {
    const play = store.study?.play;
    return Boolean(play && play.level > 0 && !play.over && play.you.length && store.node && !store.node.next.length);
  }

  function showDesk() {
    const wanted = spoken() ? `${store.study.id} ${store.study.play.you}` : null;
    if (wanted === seat) return;
    seat = wanted;
    desk.replaceChildren(...(seat ? [writing()] : []));
  }

  function heard(event) {
    const message = event.detail;
    if (!store.node || store.node.next.length) return;
    const known = store.node.messages;
    if (!known.some((each) => JSON.stringify(each) === JSON.stringify(message))) known.push(message);
    show();
  }

  store.addEventListener("node", show);
  store.addEventListener("play", showDesk);
  store.addEventListener("message", heard);
  show();
}

function letter({ sender, recipients, text }) {
  const to = recipients.length >= store.study.powers.length - 1 ? ["everybody"] : recipients.map(titled);
  return el(
    "li",
    {},
    badge(store.study, sender),
    el("div", {}, el("p", { class: "who" }, el("strong", { text: titled(sender) }), ` to ${to.join(", ")}`), el("p", { text })),
  );
}

/** The desk of who plays: to whom, and what, in plain English. */
function writing() {
  const { you } = store.study.play;
  const from = el("select", { "aria-label": "From" }, ...you.map((power) => el("option", { value: power, text: titled(power) })));
  const to = powerBoxes("To");
  const words = el("textarea", { rows: 2, "aria-label": "Message", placeholder: "such as: I propose peace between us" });
  const understood = el("p", { class: "hint", role: "status" });
  const send = el("button", { type: "submit", class: "strong", text: "Send" });

  function showFrom() {
    for (const box of to.element.querySelectorAll("input")) {
      box.disabled = box.value === from.value;
      box.checked &&= !box.disabled;
      box.parentElement.hidden = box.disabled;
    }
  }
  from.addEventListener("change", showFrom);
  showFrom();

  async function submit(event) {
    event.preventDefault();
    const recipients = to.chosen();
    const text = words.value.trim();
    if (!recipients.length) return notify("To whom? Tick at least one power.", "bad");
    if (!text) return words.focus();
    send.disabled = true;
    const answer = await attempt(() => post(`${store.path()}/play/say`, { power: from.value, to: recipients, text }));
    send.disabled = false;
    if (!answer) return words.focus();
    understood.textContent = `Understood: ${answer.understood}`;
    words.value = "";
    words.focus();
  }

  words.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  const form = el(
    "form",
    { class: "writing", "aria-label": "Write a message", on: { submit } },
    el("label", { class: "field", hidden: you.length < 2 }, el("span", { text: "From" }), from),
    to.element,
    words,
    el("div", { class: "row" }, send, el("span", { class: "hint", text: "Enter sends, Shift and Enter begin a new line." })),
    understood,
  );
  return form;
}
