/** The page put together: parts mounted, the address followed, the first study opened. */

import * as api from "./api.js";
import { Board } from "./board.js";
import { asked } from "./dialog.js";
import { button } from "./dom.js";
import { mountKeys } from "./keys.js";
import { mountLoading } from "./load.js";
import { askLook } from "./look.js";
import { Ordering } from "./ordering.js";
import { mountOrders } from "./orders.js";
import { mountWarmth } from "./panels/heat.js";
import { mountSetup } from "./setup.js";
import { mountStepper } from "./stepper.js";
import { mountResult } from "./result.js";
import { Reveal } from "./reveal.js";
import { store } from "./store.js";
import { mountPanels } from "./tabs.js";
import { Threats } from "./threats.js";
import { mountFlip, mountTree } from "./tree.js";

const at = (id) => document.getElementById(id);

const board = new Board(at("board"), store);
const reveal = new Reveal(store, board);
const ordering = new Ordering(store, board, at("tools"), reveal);
mountFlip(at("flip"), at("sheet"));
const threats = new Threats(store, board);
mountWarmth(at("warmth"), store, board, threats);
const orders = mountOrders(at("orders"), store, ordering, board);
mountStepper(at("stepper"), store, board.view, reveal);
mountTree(at("tree"), store);
const { open, fresh, studies } = mountLoading(store);
const setup = mountSetup(at("setup"), store, board, ordering);
const help = mountKeys({ store, board, ordering, orders, open, fresh, studies, setup, reveal, threats, look: askLook });

at("menu").append(
  ...[
    ["Open", open, "o", "Open a game or a position"],
    ["New", fresh, "f", "New board on any map"],
    ["Set up", setup.open, "e", "Set up a position by hand"],
    ["Studies", studies, "l", "All studies"],
    ["Board", askLook, "b", "How the board looks: colours, patterns, names"],
    ["Keys", help, "?", "What the keys do"],
  ].map(([text, act, key, title]) =>
    button(text, act, { class: "quiet", "aria-keyshortcuts": key, title: `${title} (${key})` }),
  ),
);

at("name").addEventListener("click", async () => {
  const name = await asked("Rename this study", "Name", store.study.name);
  if (name && name !== store.study.name) store.rename(name);
});

store.addEventListener("study", () => {
  at("name").textContent = store.study.name;
});

/** The address says where the page is, so that it can be kept, and opened again. */
function addressed() {
  const fragment = `#study=${store.study.id}&node=${store.node.id}`;
  if (location.hash !== fragment) history.replaceState(null, "", `${location.pathname}${fragment}`);
}

/** Open what the address names; without a name the newest study, or a first one. */
async function follow() {
  const fragment = location.hash.slice(1);
  const named = new URLSearchParams(fragment);
  if (named.has("position") || named.has("shared")) {
    await store.begin({ permalink: fragment });
  } else if (named.has("study")) {
    if (store.study?.id === named.get("study") && store.branch(named.get("node"))) {
      if (store.node.id !== named.get("node")) await store.goto(named.get("node"));
    } else {
      await store.open(named.get("study"), named.get("node"));
    }
  } else {
    await begin();
  }
}

async function begin() {
  for (const { id, error } of await api.get("/api/studies")) {
    if (error) continue;
    try {
      await store.open(id);
      return;
    } catch (fault) {
      // A file that cannot be read any more is told, and the next one opened.
      api.notify(fault.message, "bad");
    }
  }
  await store.begin({ start: true, map: "standard" });
}

async function start() {
  const beside = import("./panels/index.js");
  beside.catch(() => {});
  store.about = await api.get("/api/about");
  try {
    const { default: panels } = await beside;
    mountResult(at("result"), store, mountPanels(at("panels"), at("bar"), panels, store));
  } catch (error) {
    // The board is of use without what stands beside it.
    console.error(error);
    api.notify("The panels beside the board could not be loaded.", "bad");
  }
  store.addEventListener("node", addressed);
  store.addEventListener("deleted", () => api.attempt(begin));
  window.addEventListener("hashchange", () => api.attempt(follow));
  try {
    await follow();
  } catch (error) {
    if (error.status === 404 || error.status === 400) await begin();
    throw error;
  }
}

api.attempt(start);
