/** What was said in the phase that is shown; in a game that is played, the line to write. */

import { ApiError, attempt, post } from "../api.js";
import { button, el, mark, select, titled } from "../dom.js";
import { store } from "../store.js";
import { powerBoxes } from "./powers.js";

export const id = "talks";
export const title = "Talks";
/** Letters that come while the panel is not seen are counted on its tab. */
export const news = "message";

export function mount(element) {
  const list = el("ol", { class: "talks", "aria-label": "Messages", tabindex: "0" });
  const none = el("p", { class: "hint" });
  const desk = el("div");
  element.append(none, list, desk);
  let seat = null;
  let writer = null;

  function show() {
    const messages = store.node?.messages ?? [];
    const answer = spoken() ? (sender, recipient) => writer.turnTo(sender, recipient) : null;
    list.replaceChildren(...messages.map((message) => letter(message, answer)));
    list.hidden = !messages.length;
    none.hidden = messages.length > 0;
    none.textContent = spoken() ? "No messages yet in this phase." : "No messages in this phase.";
    list.scrollTop = list.scrollHeight;
    showDesk();
  }

  /** Whether there is something to be said here: where a game with press stands that is being played. */
  function spoken() {
    const play = store.study?.play;
    return Boolean(play && play.level > 0 && !play.over && play.you.length && store.node?.id === play.node);
  }

  function showDesk() {
    const wanted = spoken() ? `${store.study.id} ${store.study.play.you}` : null;
    if (wanted !== seat) {
      seat = wanted;
      writer = seat ? writing() : null;
      desk.replaceChildren(...(writer ? [writer.form] : []));
    }
    writer?.showTurn();
  }

  function heard(event) {
    const message = event.detail;
    if (store.node?.id !== (message.node ?? store.study.play?.node)) return;
    const known = store.node.messages;
    if (!known.some((each) => JSON.stringify(each) === JSON.stringify(message))) known.push(message);
    show();
  }

  store.on("node", show);
  store.on("play study", showDesk);
  store.on("message", heard);
  show();
}

/** A message; `answer(sender, recipient)` turns to who has written to us, where we may. */
function letter({ sender, recipients, text }, answer) {
  const mine = answer ? recipients.filter((power) => store.study.play.you.includes(power)) : [];
  const to = recipients.length >= store.study.powers.length - 1 ? ["everybody"] : recipients.map(titled);
  return el(
    "li",
    {},
    mark(store.study, sender),
    el("div", {}, el("p", { class: "hint" }, el("strong", { text: titled(sender) }), ` to ${to.join(", ")}`), el("p", { text })),
    mine.length > 0 && button("Answer", () => answer(sender, mine[0]), { class: "quiet small", "aria-label": `Answer ${titled(sender)}` }),
  );
}

/** The desk of who plays: to whom, and what, in plain English. */
function writing() {
  const { you } = store.study.play;
  const from = select(you.map((power) => [power, titled(power)]), { "aria-label": "From", on: { change: showFrom } });
  const to = powerBoxes("To");
  const words = el("textarea", { rows: 2, "aria-label": "Message", placeholder: "For example: I propose peace between us" });
  const understood = el("p", { class: "hint", role: "status" });
  const hint = el("span", { class: "hint" });
  const send = el("button", { class: "strong", text: "Send" });

  function showFrom() {
    for (const box of to.element.querySelectorAll("input")) {
      box.disabled = box.value === from.value;
      box.checked &&= !box.disabled;
      box.parentElement.hidden = box.disabled;
    }
  }
  showFrom();

  function tell(text, wrong) {
    understood.textContent = text;
    understood.classList.toggle("fault", wrong);
  }

  async function say(text) {
    const recipients = to.chosen();
    if (!recipients.length) return tell("Choose at least one power.", true);
    if (!text) return words.focus();
    form.inert = true;
    try {
      const answer = await post(`${store.path()}/play/say`, { power: from.value, to: recipients, text });
      tell(`Understood: ${answer.understood}`, false);
      words.value = "";
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      tell(error.message, true);
    } finally {
      form.inert = false;
      words.focus();
    }
  }

  function submit(event) {
    event.preventDefault();
    if (!send.disabled) attempt(() => say(words.value.trim()));
  }

  /** Who thinks does not listen. */
  function showTurn() {
    const listening = store.study.play.status === "waiting";
    for (const control of form.querySelectorAll(".row button")) control.disabled = !listening;
    hint.textContent = listening ? "Enter sends." : "The others are thinking; wait a moment.";
  }

  /** Show the talk with the power that has written. */
  function turnTo(sender, recipient) {
    from.value = recipient;
    showFrom();
    for (const box of to.element.querySelectorAll("input")) box.checked = box.value === sender;
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
    { class: "writing stack", "aria-label": "Write a message", on: { submit } },
    el("label", { class: "field", hidden: you.length < 2 }, "From", from),
    to.element,
    words,
    el("div", { class: "row" }, send, ...["Yes", "No"].map((word) => button(word, () => attempt(() => say(word.toLowerCase())))), hint),
    understood,
  );
  return { form, turnTo, showTurn };
}
