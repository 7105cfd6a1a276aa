/** The page put together: parts mounted, the address followed, the first study opened. */

import * as api from "./api.js";
import { asked } from "./dialog.js";
import { el, setting } from "./dom.js";
import { mountKeys } from "./keys.js";
import { mountDrops } from "./load.js";
import { mountOrders } from "./orders.js";
import * as book from "./panels/book.js";
import * as engine from "./panels/engine.js";
import * as heat from "./panels/heat.js";
import * as people from "./panels/people.js";
import * as play from "./panels/play.js";
import * as review from "./panels/review.js";
import * as share from "./panels/share.js";
import * as shares from "./panels/shares.js";
import * as talks from "./panels/talks.js";
import { mountResult } from "./result.js";
import { mountStepper } from "./stepper.js";
import { store } from "./store.js";
import { mountPanels } from "./tabs.js";
import { mountFlip, mountTree } from "./tree.js";

const at = (id) => document.getElementById(id);

mountFlip(at("flip"), at("sheet"));
heat.mountWarmth(at("warmth"));
mountOrders(at("orders"));
mountStepper(at("stepper"));
mountTree(at("tree"));
mountDrops();
mountKeys(at("menu"));

at("name").addEventListener("click", () => {
  const field = el("input", { value: store.study.name, maxlength: "200", required: true });
  const rename = () => store.change(() => api.patch(store.path(), { name: field.value.trim() || store.study.name }));
  asked("Rename this study", "Save", [setting("Name", field)], rename).classList.add("narrow");
});

store.on("connection", () => (at("cut").hidden = !store.lost));
store.on("study", () => (at("name").textContent = store.study.name));

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
  store.about = await api.get("/api/about");
  shares.mount(at("bar"));
  mountResult(at("result"), mountPanels(at("panels"), [engine, people, book, heat, talks, play, review, share]));
  store.on("node", addressed);
  store.on("deleted", () => api.attempt(begin));
  window.addEventListener("hashchange", () => api.attempt(follow));
  try {
    await follow();
  } catch (error) {
    if (error.status === 404 || error.status === 400) await begin();
    throw error;
  }
}

api.attempt(start);
