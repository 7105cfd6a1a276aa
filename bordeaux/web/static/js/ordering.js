/** Order entry on the board: clicks, drags, keys and typed lines become orders of the draft. */

import { attempt, post } from "./api.js";
import { standing } from "./board.js";
import { choose } from "./choice.js";
import { button, el, refill, titled } from "./dom.js";
import { Entry, misfits, MODES, sameUnit, toggled, withOrder } from "./entry.js";
import { winner } from "./result.js";
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

export class Ordering extends EventTarget {
  #store;
  #board;
  #entry = null;
  #modes = el("div", { class: "modes", role: "group", "aria-label": "What the next clicks mean" });
  #prompt = el("p", { class: "prompt", role: "status" });
  /** What was ordered last, said before what to do next. */
  #said = "";
  /** Whether an order that goes is meant to go, during a change that is made here; else null. */
  #meant = null;
  /** Whether the board's clicks belong to something else, as while a position is set up. */
  paused = false;
  #reveal;

  constructor(store, board, element, reveal) {
    super();
    this.#reveal = reveal;
    reveal.addEventListener("change", () => this.#entry && this.#show());
    store.addEventListener("thinking", ({ detail }) => this.#wait(detail));
    this.#store = store;
    this.#board = board;
    element.append(this.#modes);
    board.element.append(this.#prompt);
    store.addEventListener("node", () => this.#begin());
    store.addEventListener("study", () => this.#begin());
    store.addEventListener("draft", ({ detail }) => detail && this.#tellLost(detail));
    for (const name of ["draft", "chosen", "preview", "play"]) store.addEventListener(name, () => this.#show());
    board.addEventListener("press", ({ detail }) => this.paused || this.press(detail.place, detail.event));
    board.addEventListener("drop", ({ detail }) => this.paused || this.#drop(detail));
    for (const name of ["dragstart", "dragover", "dragend"]) {
      board.addEventListener(name, ({ detail }) => this.paused || this.#dragging(name, detail));
    }
  }

  /** "M", "R" or "A"; "" once the game is over. */
  get phaseKind() {
    const kind = this.#store.node.phase.slice(-1);
    return kind in MODES ? kind : "";
  }

  /** Whether orders of a power may be given here: of all, but in a game that is played only one's own. */
  mayOrder(power) {
    const { play } = this.#store.study;
    return !this.#store.live() || play.you.includes(power);
  }

  /** The power whose unit, or home, a location of the legal orders is. */
  powerAt(location) {
    const { node } = this.#store;
    const province = provinceOf(location);
    const here = node.units.filter((unit) => unit.province === province);
    const unit = this.phaseKind === "R" ? here.find((each) => each.dislodged) : here.find((each) => !each.dislodged);
    if (unit) return unit.power;
    return node.owners[province] ?? null;
  }

  #begin() {
    if (!this.#store.node) return;
    const { node } = this.#store;
    const clicked = this.#entry?.clicked.length ? this.#entry : null;
    if (this.#entry?.node !== node.id) this.#said = "";
    if (!clicked || this.#entry.node !== node.id) {
      this.#entry = new Entry(node.legal, this.phaseKind, {
        allowed: (location) => this.mayOrder(this.powerAt(location)),
        given: () => this.#store.orders(),
        powerAt: (location) => this.powerAt(location),
      });
      this.#entry.node = node.id;
    }
    this.#show();
  }

  #show() {
    if (this.paused || !this.#entry) return;
    const { node } = this.#store;
    const { names } = this.#board;
    const modes = MODES[this.phaseKind];
    refill(
      this.#modes,
      ...(modes.length > 1 ? modes : []).map(({ mode, key, name }) =>
        button(name, () => this.setMode(mode), {
          "aria-pressed": String(this.#entry.mode === mode),
          "aria-keyshortcuts": key,
          title: `${name} (${key})`,
        }),
      ),
    );
    const told = this.#reveal.shown ? this.#results() : `${this.#said} ${this.#won() ? "" : touched(this.#entry.told(names))}`.trim();
    if (this.#prompt.textContent !== told) {
      this.#prompt.textContent = told;
      // It is seen anew, for as long as before.
      for (const fading of this.#prompt.getAnimations()) fading.currentTime = 0;
    }
    this.#prompt.classList.toggle("idle", !this.#reveal.shown && !this.#entry.clicked.length && this.#entry.mode === "move");
    const goals = this.#lit() ? this.#entry.goals() : new Set();
    this.#board.mark({
      goal: goals,
      picked: new Set(this.#entry.clicked),
      orderable: this.#entry.orderable,
    });
    this.#board.describe((tag) => standing(node, tag, names[tag]) + (goals.has(tag) ? "; can be clicked" : ""));
    this.dispatchEvent(new Event("shown"));
  }

  /** Say how far the others are, who are waited for. */
  #wait({ done, all, power }) {
    if (this.#reveal.shown) return;
    this.#prompt.textContent = `Waiting: ${done} of ${all} are ready, ${titled(power)} is thinking (${Math.ceil(this.#store.study.play.patience)} s at most).`;
    this.#prompt.classList.remove("idle");
  }

  /** What is said while results are shown. */
  #results() {
    const next = this.#reveal.timed ? "Space goes on, Esc stays here." : "Space, or Next phase, goes on.";
    return `Crosses: failed or dislodged. ${next}`;
  }

  /** Whether the game is won here: nothing is asked for, though one may play on. */
  #won() {
    const { study, node } = this.#store;
    return !this.#entry.clicked.length && winner(study, this.#store.branch(node.id), Object.keys(node.owners).length);
  }

  /** Whether goals light up: once something was begun, and in the few places where retreats and builds are owed. */
  #lit() {
    if (this.#entry.clicked.length || this.#entry.mode !== "move") return true;
    return this.phaseKind !== "M" && !this.#won() && this.#store.chosen === null && this.#store.shownInstead === null;
  }

  /** Change what the next clicks mean. */
  setMode(mode) {
    if (!MODES[this.phaseKind].some((each) => each.mode === mode)) return;
    const found = this.#entry.setMode(mode);
    this.#show();
    if (found.length) this.#take(found);
  }

  /** Forget the clicks so far. Gives whether there were any. */
  cancel() {
    const some = Boolean(this.#entry?.clicked.length) || this.#entry?.mode !== "move";
    this.#entry?.cancel();
    this.#show();
    return some;
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

  #drop({ from, to, event, help: held }) {
    const help = held || this.#entry.mode === "support";
    const found = this.#entry.drag(from, to, help);
    this.#entry.cancel();
    this.#show();
    if (found.length) this.#take(found, to, event);
    else if (this.#entry.orderable.has(from)) this.#cannot(from, to, help);
  }

  #cannot(from, to, help) {
    const [unit, place, goal] = [from, to, this.#entry.goalOf(to)].map((tag) => this.#board.names[tag]);
    const supports = goal === place ? `support anything in ${place}` : `support ${place}, which is ordered to ${goal}`;
    this.#said = `${unit} cannot ${help ? supports : `go to ${place}`}.`;
    this.#show();
  }

  #dragging(name, { from, help }) {
    if (name === "dragend") this.#show();
    else this.#board.mark({ goal: this.#entry.dragGoals(from, help || undefined), picked: new Set([from]) });
  }

  async #take(found, place = null, event = null) {
    let text = found[0];
    if (found.length > 1) {
      const power = this.powerAt(parse(text).at);
      const choices = found.map((each) => ({ text: choiceLabel(each, this.#board.names), value: each }));
      if (parse(text).verb === "B") choices.push({ text: "No build (waive)", value: "WAIVE" });
      const chosen = await choose(this.#board.element, this.#where(place, event), choices, "Which order is meant?");
      if (chosen === null) return;
      text = chosen;
      if (text === "WAIVE") {
        this.waive(power);
        return;
      }
    }
    this.add(text);
  }

  #where(place, event) {
    const box = this.#board.element.getBoundingClientRect();
    if (event?.clientX) return { x: event.clientX - box.left, y: event.clientY - box.top };
    const hit = place && this.#board.element.querySelector(`[data-tag="${place}"]`)?.getBoundingClientRect();
    return hit ? { x: hit.left + hit.width / 2 - box.left, y: hit.top + hit.height / 2 - box.top } : { x: 20, y: 20 };
  }

  /** Give an order; in an adjustment the same order again takes it back. */
  add(text) {
    const power = this.powerAt(parse(text).at);
    if (!power) return;
    const written = this.#store.orders();
    const due = this.#store.node.due[power];
    const most = this.phaseKind === "A" ? (due?.count ?? 0) : null;
    const place = most === null ? withOrder : toggled;
    const partner = this.#entry.partner(text);
    const orders = place(written[power] ?? [], text, most);
    const said = [text, partner].filter(Boolean).map((each) => sentence(each, this.#board.names));
    this.#said = `${said.join("; ")}${orders.includes(text) ? "" : ": taken back"}.`;
    this.#write({ [power]: partner ? withOrder(orders, partner) : orders }, (each) => sameUnit(each, text));
  }

  /** Waive one build of a power. */
  waive(power) {
    const written = this.#store.orders();
    const most = this.#store.node.due[power]?.count ?? 0;
    this.#said = "One build is waived.";
    this.#write({ [power]: withOrder(written[power] ?? [], "WAIVE", most) }, () => false);
  }

  /** Take back the n-th order of a power. */
  drop(power, n) {
    const written = this.#store.orders();
    const text = written[power]?.[n];
    this.#said = "";
    this.#write({ [power]: (written[power] ?? []).filter((_, each) => each !== n) }, (each) => each === text);
  }

  /** Take back all orders of a power, or of all powers. */
  clear(power = null) {
    const all = this.#store.study.powers.map(({ name }) => name).filter((name) => this.mayOrder(name));
    this.#said = "";
    this.#write(Object.fromEntries((power ? [power] : all).map((each) => [each, []])), () => true);
  }

  get undoable() {
    return this.#store.undoable;
  }

  /** Take back the last change of the draft. */
  undo() {
    this.#said = "";
    this.#meant = () => true;
    this.#store.undo();
  }

  /** Write orders; `meant` tells which of those that go are meant to go. */
  #write(draft, meant) {
    this.#meant = meant;
    this.#store.setDraft(draft);
  }

  /** Say what a change took away beside what it was to change, and what stands without use since. */
  #tellLost({ shown, draft }) {
    const meant = this.#meant;
    this.#meant = null;
    const now = this.#store.node.draft;
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
    const { legal, id } = this.#store.node;
    const told = await attempt(() => post(`${this.#store.path(id)}/read`, { text: line }));
    if (!told) return "";
    const { order, power, why } = told;
    const mine = Object.entries(legal).filter(([location]) => this.mayOrder(this.powerAt(location)));
    // A coast that is left out is asked for.
    const found = mine.flatMap(([, texts]) => texts).filter((text) => text === order || text.startsWith(`${order}/`));
    if (found.length) await this.#take(found, provinceOf(parse(found[0]).at));
    if (found.length) return null;
    if (order === null) return why;
    return `${order}: ${why ?? (this.mayOrder(power) ? "not asked for in this phase" : "not your unit in this game")}`;
  }

  /** The legal orders as people may type them, for suggestions. */
  suggestions() {
    return this.#entry ? this.#entry.orders.map(({ text }) => ({ text, told: sentence(text, this.#board.names) })) : [];
  }

  /** Go with the keyboard to the next goal, or to the next unit that has no order. */
  next(back = false) {
    const entry = this.#entry;
    const written = new Set(Object.values(this.#store.orders()).flat().map((text) => provinceOf(parse(text).at ?? "")));
    const open = [...entry.orderable].filter((tag) => !written.has(tag));
    const stops = entry.clicked.length ? [...entry.goals()] : open.length ? open : [...entry.orderable];
    if (!stops.length) return;
    const now = stops.indexOf(this.#board.focused);
    const step = back ? -1 : 1;
    this.#board.focus(stops[now < 0 ? 0 : (now + step + stops.length) % stops.length]);
  }

  /** What a power has to do in this phase, in a few words; "" where it has nothing to do. */
  dueOf(power) {
    const due = this.#store.node.due[power];
    if (!due) return "";
    const ordered = (this.#store.orders()[power] ?? []).length;
    const things = { M: "unit", R: "retreat", build: "build", disband: "disband" }[due.kind];
    return `${ordered}/${due.count} ${things}${due.count === 1 ? "" : "s"}`;
  }
}
