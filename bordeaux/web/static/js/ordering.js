/** Order entry on the board: clicks, drags, keys and typed lines become orders of the draft. */

import { attempt, post } from "./api.js";
import { board, standing } from "./board.js";
import { choose } from "./choice.js";
import { button, el, refill, titled } from "./dom.js";
import { Entry, misfits, MODES, sameUnit, toggled, withOrder } from "./entry.js";
import { winner } from "./result.js";
import { reveal } from "./reveal.js";
import { store } from "./store.js";
import { choiceLabel, parse, provinceOf, sentence } from "./words.js";

/** What to do in words for who has no mouse. */
const touched = (told) => (matchMedia("(pointer: coarse)").matches ? told.replace(/\bclick\b/gi, (word) => (word === "click" ? "tap" : "Tap")) : told);

/** Orders by power that are not among others; what is there twice and once is left once. */
function without(orders, others) {
  const rest = Object.values(others).flat();
  return Object.values(orders)
    .flat()
    .filter((text) => {
      const at = rest.indexOf(text);
      if (at >= 0) rest.splice(at, 1);
      return at < 0;
    });
}

class Ordering {
  #entry = null;
  #modes = el("div", { class: "modes", role: "group", "aria-label": "What the next clicks mean" });
  #prompt = el("p", { class: "prompt", role: "status" });
  /** What was ordered last, said before what to do next. */
  #said = "";
  /** Whether an order that goes is meant to go, during a change that is made here; else null. */
  #meant = null;
  /** Whether the board's clicks belong to something else, as while a position is set up. */
  paused = false;

  constructor() {
    document.getElementById("tools").append(this.#modes);
    board.element.append(this.#prompt);
    reveal.on("change", () => this.#show());
    store.on("thinking", ({ detail }) => this.#wait(detail));
    store.on("node study", () => this.#begin());
    store.on("draft", ({ detail }) => detail && this.#tellLost(detail));
    store.on("draft chosen preview play", () => this.#show());
    board.on("press", ({ detail }) => this.paused || this.press(detail.place, detail.event));
    board.on("drop", ({ detail }) => this.paused || this.#drop(detail));
    board.on("dragover", ({ detail }) => this.paused || this.#dragging(detail));
    board.on("dragend", () => this.#show());
  }

  /** "M", "R" or "A"; "" once the game is over. */
  get phaseKind() {
    const kind = store.node?.phase.slice(-1);
    return kind in MODES ? kind : "";
  }

  /** Whether orders of a power may be given here: of all, but in a game that is played only one's own. */
  mayOrder(power) {
    const { play } = store.study;
    return !store.live() || play.you.includes(power);
  }

  /** The power whose unit, or home, a location of the legal orders is. */
  powerAt(location) {
    const { node } = store;
    const province = provinceOf(location);
    const unit = node.units.find((each) => each.province === province && each.dislodged === (this.phaseKind === "R"));
    return unit?.power ?? node.owners[province] ?? null;
  }

  #begin() {
    if (!store.node) return;
    const { node } = store;
    const moved = this.#entry?.node !== node.id;
    if (moved) this.#said = "";
    if (moved || !this.#entry.clicked.length) {
      this.#entry = new Entry(node.legal, this.phaseKind, {
        allowed: (location) => this.mayOrder(this.powerAt(location)),
        given: () => store.orders(),
        powerAt: (location) => this.powerAt(location),
      });
      this.#entry.node = node.id;
    }
    this.#show();
  }

  #show() {
    const { node } = store;
    if (this.paused || !this.#entry || !node) return;
    const { names } = board;
    const modes = Object.entries(MODES[this.phaseKind]).map(([mode, name]) => {
      const pressed = { "aria-pressed": String(this.#entry.mode === mode), "aria-keyshortcuts": mode[0], title: `${name} (${mode[0]})` };
      return button(name, () => this.setMode(mode), pressed);
    });
    refill(this.#modes, ...(modes.length > 1 ? modes : []));
    const results = `Crosses: failed or dislodged. ${reveal.timed ? "Space goes on, Esc stays here." : "Space, or Next phase, goes on."}`;
    const told = reveal.shown ? results : `${this.#said} ${this.#won() ? "" : touched(this.#entry.told(names))}`.trim();
    if (this.#prompt.textContent !== told) {
      this.#prompt.textContent = told;
      // It is seen anew, for as long as before.
      for (const fading of this.#prompt.getAnimations()) fading.currentTime = 0;
    }
    this.#prompt.classList.toggle("idle", !reveal.shown && !this.#entry.clicked.length && this.#entry.mode === "move");
    const goals = this.#lit() ? this.#entry.goals() : new Set();
    board.mark({ goal: goals, picked: new Set(this.#entry.clicked), orderable: this.#entry.orderable });
    board.describe((tag) => standing(node, tag, names[tag]) + (goals.has(tag) ? "; can be clicked" : ""));
  }

  /** Say how far the others are, who are waited for. */
  #wait({ done, all, power }) {
    if (reveal.shown) return;
    this.#prompt.textContent = `Waiting: ${done} of ${all} are ready, ${titled(power)} is thinking (${Math.ceil(store.study.play.patience)} s at most).`;
    this.#prompt.classList.remove("idle");
  }

  /** Whether the game is won here: nothing is asked for, though one may play on. */
  #won() {
    const { study, node } = store;
    return !this.#entry.clicked.length && winner(study, store.branch(node.id), Object.keys(node.owners).length);
  }

  /** Whether goals light up: once something was begun, and in the few places where retreats and builds are owed. */
  #lit() {
    if (this.#entry.clicked.length || this.#entry.mode !== "move") return true;
    return this.phaseKind !== "M" && !this.#won() && store.chosen === null && store.shownInstead === null;
  }

  /** Change what the next clicks mean. */
  setMode(mode) {
    if (!(mode in MODES[this.phaseKind])) return;
    const found = this.#entry.setMode(mode);
    this.#show();
    if (found.length) this.#take(found);
  }

  /** Forget the clicks so far. */
  cancel() {
    this.#entry?.cancel();
    this.#show();
  }

  /** Click a province. */
  press(place, event = null) {
    this.#said = "";
    const [from, helped] = this.#entry.clicked;
    const again = this.#entry.mode === "support" && place === helped;
    const found = this.#entry.click(place);
    this.#show();
    if (found.length) this.#take(found, place, event);
    else if (again) this.#cannot(from, place, true);
  }

  /** Whether a drag is to be a support: by a key that is held, or by the mode. */
  #supports(held) {
    return held || this.#entry.mode === "support";
  }

  #drop({ from, to, event, help: held }) {
    const help = this.#supports(held);
    const found = this.#entry.drag(from, to, help);
    this.#entry.cancel();
    this.#show();
    if (found.length) this.#take(found, to, event);
    else if (this.#entry.orderable.has(from)) this.#cannot(from, to, help);
  }

  #cannot(from, to, help) {
    const [unit, place, goal] = [from, to, this.#entry.goalOf(to)].map((tag) => board.names[tag]);
    const supports = goal === place ? `support anything in ${place}` : `support ${place}, which is ordered to ${goal}`;
    this.#said = `${unit} cannot ${help ? supports : `go to ${place}`}.`;
    this.#show();
  }

  #dragging({ from, help }) {
    board.mark({ goal: this.#entry.dragGoals(from, this.#supports(help)), picked: new Set([from]) });
  }

  async #take(found, place = null, event = null) {
    let text = found[0];
    if (found.length > 1) {
      const power = this.powerAt(parse(text).at);
      const choices = found.map((each) => ({ text: choiceLabel(each, board.names), value: each }));
      if (parse(text).verb === "B") choices.push({ text: "No build (waive)", value: "WAIVE" });
      text = await choose(place, event, choices, "Which order is meant?");
      if (text === "WAIVE") this.waive(power);
    }
    if (text !== null && text !== "WAIVE") this.#add(text);
  }

  /** Give an order; in an adjustment the same order again takes it back. */
  #add(text) {
    const power = this.powerAt(parse(text).at);
    if (!power) return;
    const written = store.orders();
    const due = store.node.due[power];
    const most = this.phaseKind === "A" ? (due?.count ?? 0) : null;
    const place = most === null ? withOrder : toggled;
    const partner = this.#entry.partner(text);
    const orders = place(written[power] ?? [], text, most);
    const said = [text, partner].filter(Boolean).map((each) => sentence(each, board.names));
    this.#said = `${said.join("; ")}${orders.includes(text) ? "" : ": taken back"}.`;
    this.#write({ [power]: partner ? withOrder(orders, partner) : orders }, (each) => sameUnit(each, text));
  }

  /** Waive one build of a power. */
  waive(power) {
    this.#said = "One build is waived.";
    this.#write({ [power]: withOrder(store.orders()[power] ?? [], "WAIVE", store.node.due[power]?.count ?? 0) }, () => false);
  }

  /** Take back the n-th order of a power. */
  drop(power, n) {
    const written = store.orders()[power] ?? [];
    this.#said = "";
    this.#write({ [power]: written.toSpliced(n, 1) }, (each) => each === written[n]);
  }

  /** Take back all orders. */
  clear() {
    const mine = store.powers.filter((power) => this.mayOrder(power));
    this.#said = "";
    this.#write(Object.fromEntries(mine.map((power) => [power, []])), () => true);
  }

  /** Take back the last change of the draft. */
  undo() {
    this.#said = "";
    this.#meant = () => true;
    store.undo();
  }

  /** Write orders; `meant` tells which of those that go are meant to go. */
  #write(draft, meant) {
    this.#meant = meant;
    store.setDraft(draft);
  }

  /** Say what a change took away beside what it was to change, and what stands without use since. */
  #tellLost({ shown, draft }) {
    const meant = this.#meant;
    this.#meant = null;
    const now = store.node.draft;
    const lost = without(shown, now);
    const idle = misfits(now).filter((text) => !misfits(shown).includes(text));
    const told = [];
    if (meant) {
      const others = lost.filter((text) => !meant(text));
      if (others.length) told.push(`No longer ordered: ${others.join(", ")}.`);
    } else {
      this.#said = "";
      if (lost.length && shown === draft) told.push("Other orders took the place of yours; Undo brings those back.");
    }
    if (idle.length) told.push(`Unmatched now: ${idle.join(", ")}.`);
    if (shown !== draft && without(draft, now).length) told.push("A new draft begins with what was played; Undo brings the earlier one back.");
    this.#said = [this.#said, ...told].filter(Boolean).join(" ");
  }

  /** Let the server read a typed line, as the commands do. Gives why no order came of it, or null where one did. */
  async type(line) {
    const { legal } = store.node;
    const told = await attempt(() => post(`${store.here}/read`, { text: line }));
    if (!told) return "";
    const { order, power, why } = told;
    if (order === "WAIVE") return this.#typedWaive();
    const mine = Object.entries(legal).filter(([location]) => this.mayOrder(this.powerAt(location)));
    // A coast that is left out is asked for.
    const found = mine.flatMap(([, texts]) => texts).filter((text) => text === order || text.startsWith(`${order}/`));
    if (found.length) {
      await this.#take(found, provinceOf(parse(found[0]).at));
      return null;
    }
    if (order === null) return why;
    return `${order}: ${why ?? (this.mayOrder(power) ? "not asked for in this phase" : "not your unit in this game")}`;
  }

  async #typedWaive() {
    const builders = store.powers.filter((power) => store.node.due[power]?.kind === "build" && this.mayOrder(power));
    if (!builders.length) return "WAIVE: not asked for in this phase";
    const choices = builders.map((power) => ({ text: titled(power), value: power }));
    const power = builders.length > 1 ? await choose(null, null, choices, "Who waives a build?") : builders[0];
    if (power) this.waive(power);
    return null;
  }

  /** The legal orders as people may type them, as options of a field. */
  suggestions() {
    return (this.#entry?.orders ?? []).map(({ text }) => el("option", { value: text, label: sentence(text, board.names) }));
  }

  /** Go with the keyboard to the next goal, or to the next unit that has no order. */
  next(back = false) {
    const entry = this.#entry;
    const written = new Set(Object.values(store.orders()).flat().map((text) => provinceOf(parse(text).at ?? "")));
    const open = [...entry.orderable].filter((tag) => !written.has(tag));
    const stops = entry.clicked.length ? [...entry.goals()] : open.length ? open : [...entry.orderable];
    if (!stops.length) return;
    const now = stops.indexOf(board.focused);
    const step = back ? -1 : 1;
    board.focus(stops[now < 0 ? 0 : (now + step + stops.length) % stops.length]);
  }

  /** What a power has to do in this phase, in a few words; "" where it has nothing to do. */
  dueOf(power) {
    const due = store.node.due[power];
    if (!due) return "";
    const ordered = (store.orders()[power] ?? []).length;
    const things = { M: "unit", R: "retreat", build: "build", disband: "disband" }[due.kind];
    return `${ordered}/${due.count} ${things}${due.count === 1 ? "" : "s"}`;
  }
}

export const ordering = new Ordering();
