/** Opens the study that the page has in it, or the one behind the `#` of the address, and shows one position of it at a time. */

import { paper } from "./reader-board.js";

/** Bytes of a study once it is unpacked, and its positions, at most. */
const MOST = 24 << 20, MOST_NODES = 5000;
const SEASONS = { S: "Spring", F: "Fall", W: "Winter" };
const KINDS = { M: "movement", R: "retreats", A: "adjustments" };
const LINES = 3;
const byId = (name) => document.getElementById(name);
const main = document.querySelector("main"), nav = document.querySelector("nav");
let nodes = new Map(), order = [], here = null;

const el = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null));
  return element;
};
const button = (text, act, kind = "") => {
  const element = el("button", { type: "button", ...(kind ? { class: kind } : {}) }, text);
  element.addEventListener("click", act);
  return element;
};

/** The JSON that a link has in it: base64url, deflated. */
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")).getReader();
  const parts = [];
  for (let size = 0; ; ) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MOST) throw new Error("too large");
    parts.push(value);
  }
  return new Blob(parts).text();
}

/** Objects without inherited names: a link may ask for any name. */
const bare = (_, value) => (isTable(() => true)(value) ? Object.assign(Object.create(null), value) : value);

const NONE = Object.freeze(Object.create(null));
const isText = (value) => typeof value === "string";
const isTexts = (value) => Array.isArray(value) && value.every(isText);
const isTable = (of) => (value) => typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(of);
const isLine = (value) => Array.isArray(value) && isTexts(value[0]) && typeof value[1] === "number";
const FORMS = {
  children: isTexts,
  orders: isTable(isTexts),
  results: isTable(isTexts),
  foreign: isTable(isTable(isTexts)),
  lines: isTable((lines) => Array.isArray(lines) && lines.every(isLine)),
  comment: isText,
  note: isText,
  state: ({ name, units = {}, centers = {} }) => isText(name) && [units, centers].every(isTable(isTexts)),
};

/** The nodes of a study by id; throws for what is no tree, and for nodes of another form than ours. */
function read(study) {
  const found = new Map(study.nodes.map((node) => [String(node.id), { children: [], orders: NONE, results: NONE, foreign: NONE, lines: NONE, comment: "", note: "", ...node }]));
  if (!found.has("0") || found.size > MOST_NODES) throw new Error("no study");
  const seen = new Set();
  const waiting = [["0", null]];
  while (waiting.length) {
    const [id, parent] = waiting.pop();
    const node = found.get(id);
    if (!node || seen.has(node) || (node.parent ?? null) !== parent || node.id !== id) throw new Error("no tree");
    for (const [part, fits] of Object.entries(FORMS)) if (!fits(node[part])) throw new Error(`no ${part}`);
    seen.add(node);
    for (const child of [...node.children.slice(0, 1), ...node.children.slice(1).reverse()]) waiting.push([child, id]);
  }
  order = [...seen];
  return found;
}

const phaseOf = (node) => node.state.name;
function heading(name) {
  const [, season, year, kind] = /^([SFW])(\d+)([MRA])$/.exec(name) ?? [];
  return season ? `${SEASONS[season]} ${year}, ${KINDS[kind]}` : "Game over";
}

/** By what a side line leaves the line beside it. */
function differs(node) {
  const first = nodes.get(nodes.get(node.parent).children[0]).orders;
  const changed = Object.entries(node.orders).flatMap(([power, texts]) => texts.filter((text) => !(first[power] ?? []).includes(text)));
  return changed.length ? changed.slice(0, 3).join("; ") + (changed.length > 3 ? " ..." : "") : "fewer orders";
}

/** The lines as nested lists: a main line is flat, side lines stand below the node that they leave. */
function listed(begin) {
  const list = el("ol");
  for (let node = nodes.get(begin); node; node = nodes.get(node.children[0])) {
    const { id } = node;
    const link = button(phaseOf(node), () => show(id));
    link.dataset.node = id;
    list.append(el("li", {}, link, node.comment ? el("span", { class: "said", title: "has a comment" }, " \u270e") : null));
    const beside = node.parent ? nodes.get(node.parent).children : [];
    if (beside[0] !== id) continue;
    for (const other of beside.slice(1)) list.append(el("li", { class: "side" }, el("span", { class: "faint-text" }, differs(nodes.get(other))), listed(other)));
  }
  return list;
}

const named = (power, attributes) => {
  const shape = paper.make("rect", { class: `own power-${paper.powers[power]}`, width: 13, height: 13, rx: 3 });
  const swatch = paper.make("svg", { class: "swatch", width: 13, height: 13, "aria-hidden": "true" }, shape);
  return el("th", attributes, swatch, ` ${paper.titled(power)}`);
};

function ordersOf(next) {
  const rows = Object.keys(paper.powers)
    .filter((power) => next.orders[power]?.length)
    .map((power) => {
      const texts = next.orders[power].map((text) => {
        const unit = text.split(" ").slice(0, 2).join(" ");
        const words = (next.foreign[power]?.[unit] ?? next.results[unit] ?? []).filter(Boolean);
        return el("span", { class: words.length ? "order failed" : "order" }, text, words.length ? el("em", {}, ` ${words.join(", ")}`) : null);
      });
      return el("tr", {}, named(power, { scope: "row" }), el("td", {}, ...texts));
    });
  const note = next.note ? [el("p", { class: "faint-text" }, next.note)] : [];
  return rows.length ? [el("h3", {}, "Orders"), el("table", {}, el("tbody", {}, ...rows)), ...note] : note;
}

function engineOf(node) {
  const percent = (part) => (typeof part === "number" ? `${Math.round(100 * part)} %` : "");
  const rows = Object.keys(paper.powers).flatMap((power) => {
    const lines = (node.lines[power] ?? []).slice(0, LINES);
    return lines.map(([orders, score, solo, error], number) =>
      el(
        "tr",
        {},
        number ? null : named(power, { scope: "rowgroup", rowspan: lines.length }),
        ...[error > 0 ? percent(score).replace(" ", ` ± ${(100 * error).toFixed(1)} `) : percent(score), solo === 1 ? "forced" : percent(solo)].map((text) => el("td", { class: "number" }, text)),
        el("td", {}, ...orders.map((text) => el("span", { class: "order" }, text))),
      ),
    );
  });
  if (!rows.length) return [];
  const head = el("thead", {}, el("tr", {}, ...["Power", "Score", "Solo", "Orders"].map((text) => el("th", { scope: "col" }, text))));
  return [el("h3", {}, "The engine"), el("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "Lines" }, el("table", {}, head, el("tbody", {}, ...rows)))];
}

/** Show a node, and have the focus on its heading where a button of the one before had it. */
function show(id) {
  const node = nodes.get(id);
  if (!node) return;
  here = node;
  const title = heading(phaseOf(node));
  const next = nodes.get(node.children[0]);
  const before = nodes.get(node.parent);
  const ways = [
    before ? button(`← ${phaseOf(before)}`, () => show(before.id)) : null,
    ...node.children.map((child, place) => button(`${place ? differs(nodes.get(child)) : phaseOf(nodes.get(child))} →`, () => show(child), place ? "side" : "")),
  ];
  const owned = Object.entries(node.state.centers ?? {}).filter(([, centres]) => centres.length).map(([power, centres]) => `${paper.titled(power)} ${centres.length}`);
  const said = node.comment.split("\n").filter((text) => text.trim()).map((text) => el("p", {}, text));
  const focused = main.contains(document.activeElement);
  const top = el("h2", { tabindex: "-1" }, title);
  main.replaceChildren(
    el(
      "section",
      { class: "here" },
      top,
      el("p", { class: "ways" }, ...ways),
      el("figure", {}, el("div", { class: "board" }, paper.draw(node.state, next?.orders ?? {}, next?.results ?? {}, title, next?.foreign)), el("figcaption", {}, `Centres: ${owned.join(", ")}`)),
      said.length ? el("div", { class: "comment" }, ...said) : null,
      ...(next ? ordersOf(next) : []),
      ...engineOf(node),
    ),
  );
  if (focused) top.focus({ preventScroll: true });
  for (const link of nav.querySelectorAll("button")) {
    const now = link.dataset.node === id;
    if (now) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    if (now) nav.scrollTop = Math.max(0, link.offsetTop - nav.offsetTop - nav.clientHeight / 2);
  }
  document.title = `${title} - ${document.querySelector("h1").textContent}`;
}

async function open() {
  const given = new URLSearchParams(location.hash.slice(1));
  try {
    const study = JSON.parse(given.has("shared") ? await unpacked(given.get("shared")) : paper.study, bare);
    if (!study) return;
    if (study.map !== paper.map) {
      byId("about").textContent = `This page has the map ${paper.map}, and the study is on ${String(study.map)}.`;
      return;
    }
    nodes = read(study);
    const last = [];
    for (let node = nodes.get("0"); node; node = nodes.get(node.children[0])) last.push(phaseOf(node));
    document.querySelector("h1").textContent = study.study?.name || "A study";
    const engine = study.engine ? `; ${study.engine}` : "";
    byId("about").textContent = `Map ${study.map}, ${last[0]} to ${last.at(-1)}, ${nodes.size} positions${engine}.`;
    document.body.classList.add("one");
    nav.replaceChildren(el("h2", {}, "Lines"), listed("0"));
    show(nodes.has(given.get("node")) ? given.get("node") : "0");
  } catch (error) {
    console.info(error);
    byId("about").textContent = "There is no study in this link that can be read; copy it whole.";
  }
}

addEventListener("keydown", (event) => {
  if (!here || event.altKey || event.ctrlKey || event.metaKey) return;
  const place = order.indexOf(here);
  const id = { ArrowLeft: here.parent, ArrowRight: here.children[0], ArrowUp: order[place - 1]?.id, ArrowDown: order[place + 1]?.id }[event.key];
  if (!event.key.startsWith("Arrow")) return;
  event.preventDefault();
  if (id !== undefined && id !== null) show(id);
});
addEventListener("hashchange", open);
open();
