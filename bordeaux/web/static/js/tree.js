/** The tree of variations: the main line by year, side lines nested where they leave it. */

import { attempt, del, post, put } from "./api.js";
import { confirmed } from "./dialog.js";
import { badge, button, el, intoSight, refill, titled } from "./dom.js";
import { findings } from "./findings.js";
import { phaseName } from "./stepper.js";
import { store } from "./store.js";

/** Build the tree in an element, and keep it. */
export function mountTree(element) {
  const main = el("div", { class: "branches", tabindex: "-1" });
  const comment = el("textarea", { rows: "2", placeholder: "A comment on this position", "aria-label": "Comment" });
  const promote = button("Make main line", () => store.change(() => post(`${store.here}/promote`)));
  const remove = button("Delete", () => removeHere(), { class: "danger" });
  element.append(
    el("header", { class: "row" }, el("h2", { id: "tree-title", text: "Lines", class: "grow" }), promote, remove),
    main,
    comment,
  );
  comment.addEventListener("change", () => store.change(() => put(`${store.here}/comment`, { text: comment.value })));

  let nodes = new Map();

  async function removeHere() {
    const { id, phase } = store.node;
    const more = below(id) - 1;
    const told = more ? ` and the ${more === 1 ? "position" : `${more} positions`} after it` : "";
    if (await confirmed(`Delete ${phaseName(phase)}${told}?`, "Delete")) store.change(() => del(store.path(id)));
  }

  function below(id) {
    return 1 + nodes.get(id).children.reduce((sum, child) => sum + below(child), 0);
  }

  function show() {
    const { study, node } = store;
    if (!study) return;
    nodes = new Map(study.nodes.map((each) => [each.id, each]));
    const on = new Set(store.way());
    refill(main, line(study.root, on));
    const here = node && nodes.get(node.id);
    if (here && document.activeElement !== comment) comment.value = here.comment ?? "";
    remove.disabled = !here || here.id === study.root;
    promote.hidden = !here || store.after().includes(here.id);
    // Only the list goes along, never the page.
    const current = main.querySelector("[aria-current]");
    if (current) intoSight(main, current);
  }

  /** A line from a node along first children, in years, with the lines that leave it below each phase. */
  function line(id, on) {
    const list = el("ul", { class: "line" });
    let year = null;
    let row = null;
    for (let here = nodes.get(id); here; here = nodes.get(here.children[0])) {
      const named = here.phase.slice(1, -1);
      if (named !== year || row === null) {
        year = named;
        row = el("span", { class: "phases" });
        list.append(el("li", { class: "year" }, el("span", { class: "muted", text: year }), row));
      }
      row.append(entry(here, on));
      if (here.comment) list.append(el("li", { class: "comment", text: here.comment }));
      const others = nodes.get(here.parent)?.children ?? [];
      // Side lines stand below the move that they differ from.
      if (here.id !== id && others[0] === here.id && others.length > 1) {
        for (const other of others.slice(1)) list.append(el("li", { class: "side" }, line(other, on)));
        row = null;
      }
    }
    return list;
  }

  function entry(node, on) {
    const current = node.id === store.node?.id;
    const retreats = node.phase.endsWith("R");
    const name = retreats ? "retreats" : phaseName(node.phase).split(/ \d/)[0];
    const element = button("", () => attempt(() => store.goto(node.id)), {
      class: `quiet position${on.has(node.id) ? " on" : ""}`,
      "aria-current": current ? "true" : null,
      title: phaseName(node.phase),
    });
    element.append(el("span", { class: retreats ? "muted" : null, text: name }));
    if (node.messages) element.append(el("span", { class: "muted count", text: `✉${node.messages}`, title: `${node.messages} messages` }));
    if (!node.book && node.parent !== null && nodes.get(node.parent)?.book) {
      element.append(el("span", { class: "muted count", text: "out of book" }));
    }
    if (node.differs?.length) {
      const [first, ...more] = node.differs;
      element.append(el("span", { class: "muted differs", title: node.differs.join(", "), text: more.length ? `${first}, …` : first }));
    }
    for (const point of findings.at(node.id)) {
      const [seen, said] = [el("span", { "aria-hidden": "true", text: point.glyph }), el("span", { class: "unseen", text: `turning point of ${titled(point.power)}` })];
      element.append(el("span", { class: "glyph", title: `${titled(point.power)}: ${point.why}` }, seen, said));
    }
    element.append(...gains(node));
    return element;
  }

  /** Centres won and lost since the node before. */
  function gains(node) {
    const before = nodes.get(node.parent)?.centres;
    if (!before) return [];
    const changes = store.powers.map((name) => ({ name, by: (node.centres[name] ?? 0) - (before[name] ?? 0) })).filter(({ by }) => by);
    if (!changes.length) return [];
    return [
      el("span", { class: "muted count", text: "centres" }),
      ...changes.map(({ name, by }) => {
        const told = by > 0 ? `+${by}` : `−${-by}`;
        return el("span", { class: "gain", title: `${titled(name)}: ${told}` }, badge(store.study, name), told);
      }),
    ];
  }

  store.on("study node play", show);
  findings.on("change", show);
}

const REMEMBERED = "bordeaux-sheet";
const NAMES = { orders: "Orders", tree: "Lines" };

/** Put two switches for orders and lines into an element: they take turns in one place; `sheet` says by its data which is shown. */
export function mountFlip(element, sheet) {
  const switches = Object.entries(NAMES).map(([id, name]) => button(name, () => show(id), { "aria-controls": id, data: { id } }));

  function show(id) {
    sheet.dataset.shown = id;
    for (const each of switches) each.setAttribute("aria-pressed", String(each.dataset.id === id));
    localStorage.setItem(REMEMBERED, id);
  }

  element.append(...switches);
  const remembered = localStorage.getItem(REMEMBERED);
  show(remembered in NAMES ? remembered : "orders");
}
