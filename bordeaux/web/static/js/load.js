/** Studies in and out of the page: opened from files, pasted or dropped text, begun afresh, listed, deleted. */

import { ApiError, attempt, del, get, notify, post, saves } from "./api.js";
import { asked, confirmed, dialog } from "./dialog.js";
import { button, el, select, setting } from "./dom.js";
import { phaseName } from "./stepper.js";
import { store } from "./store.js";

/** What a browser may show of files to open. */
const FILES = ".json,.jsonl,.txt,.html,.gz,.dfen,.dson,application/json,text/plain";

/** How a file of all studies begins. */
const ALL = /^\s*\{\s*"studies"\s*:/;

/** Open a text as a study; where it holds many games, ask which. Orders alone are a draft. Gives whether it was read. */
async function read(text, name = "", index = 0) {
  if (ALL.test(text)) return readAll(text);
  const begun = store.begin({ text, index, ...(name && { name }) }).catch(async (error) => {
    if (!(await drafted(text))) throw error;
  });
  const study = await attempt(() => begun);
  if (study?.games > 1 && index === 0) which(text, name, study);
  return study !== null;
}

/** Write a text of orders for the phase that is shown into its draft; gives whether it is one. */
async function drafted(text) {
  const { here } = store;
  const orders = here ? await post(`${here}/sheet`, { text }).catch(() => ({})) : {};
  if (store.here !== here || !Object.values(orders).some(({ length }) => length)) return false;
  store.setDraft(orders);
  return true;
}

/** Add the studies of a file of all studies. */
async function readAll(text) {
  const told = await attempt(() => post("/api/studies.json", JSON.parse(text)));
  if (!told) return false;
  notify(`Studies: ${told.added.length} added, ${told.there} were there already.`, "good");
  if (told.added.length) await attempt(() => store.open(told.added[0]));
  return true;
}

function which(text, name, study) {
  const field = el("input", { type: "number", id: "which-game", min: 1, max: study.games, value: 1, required: true });
  const box = asked(`${study.games} games`, "Open", [setting("Open game number", field)], async () => {
    const chosen = Number(field.value) - 1;
    if (chosen > 0 && (await read(text, name, chosen))) await attempt(() => del(`/api/studies/${study.id}`));
  });
  box.classList.add("narrow");
}

/** Open a file, also one under gzip. Gives whether it was opened. */
async function readFile(file) {
  const text = await attempt(async () => {
    const unpacked = file.name.endsWith(".gz") ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file;
    const read = await new Response(unpacked).text().catch(() => {
      throw new ApiError(`${file.name} cannot be read; is it damaged?`, 0);
    });
    if (!read.trim()) throw new ApiError(`${file.name} is empty.`, 0);
    return read;
  });
  return text !== null && read(text, file.name.replace(/\.(gz|json|jsonl|txt)\b/g, ""));
}

/** Ask for a file or a text to open. */
export function open() {
  const file = el("input", { type: "file", id: "open-file", accept: FILES });
  const placeholder = "A saved game, a position, orders of the phase that is shown, a page of a site, or a link";
  const pasted = el("textarea", { id: "open-text", rows: "9", spellcheck: "false", placeholder });
  const fields = [
    el("label", { for: "open-file", text: "File: a saved game, a study, a position, or a page of a site; gzip too" }),
    file,
    el("label", { for: "open-text", text: "Or paste" }),
    pasted,
    el("p", { class: "muted", text: `Or drop a file anywhere on the page. ${store.about.lacks.sites ?? ""}` }),
  ];
  const box = asked("Open", "Import", fields, async () => {
    const text = pasted.value.trim();
    const link = !/\s/.test(text) && /(?:position|shared)=[\w-]+/.exec(text);
    if (link) return (await attempt(() => store.begin({ permalink: link[0] }))) !== null;
    return text !== "" && read(text);
  });
  file.addEventListener("change", async () => {
    if (file.files.length && (await readFile(file.files[0]))) box.close();
  });
}

/** Ask for a map, and begin a study on it. */
export function fresh() {
  const map = select(store.about.maps.map((name) => [name, name]), {}, "standard");
  const name = el("input", { maxlength: "200", placeholder: "Optional" });
  const box = asked("New board", "Start", [setting("Map", map), setting("Name", name)], async () => {
    const named = name.value.trim();
    return (await attempt(() => store.begin({ start: true, map: map.value, ...(named && { name: named }) }))) !== null;
  });
  box.classList.add("narrow");
}

/** List the studies that are kept. */
export async function studies() {
  const list = el("ul", { class: "studies" });
  const all = el("a", { class: "button", download: "", text: "Save all as a file" });
  saves(all, "/api/studies.json");
  const back = el("p", { class: "muted", text: "Open reads such a file again." });
  const box = dialog("Studies", list, el("p", { class: "row ends" }, back, all));

  async function show() {
    const found = (await attempt(() => get("/api/studies"))) ?? [];
    list.replaceChildren(...found.map((each) => item(each)));
    if (!found.length) list.append(el("li", { class: "muted", text: "No studies yet." }));
  }

  function item({ id, name, phase, changed, error }) {
    const here = id === store.study?.id;
    const when = () => new Date(typeof changed === "number" ? changed * 1000 : changed).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    return el(
      "li",
      {},
      error ? el("span", { class: "when fault", text: name }) : button(name, () => openStudy(id), { class: "quiet name", "aria-current": here && "true" }),
      el("span", { class: "muted when", text: error ?? `${phaseName(phase)} · ${when()}` }),
      button("Delete", () => remove(id, name), { class: "quiet danger small", disabled: here, "aria-label": `Delete ${name}` }),
    );
  }

  async function openStudy(id) {
    await attempt(() => store.open(id));
    box.close();
  }

  async function remove(id, name) {
    if (!(await confirmed(`Delete the study “${name}” for good?`, "Delete"))) return;
    await attempt(() => del(`/api/studies/${id}`));
    await show();
  }

  await show();
}

/** Open what is dropped on the page. */
export function mountDrops() {
  document.addEventListener("dragover", (event) => {
    if (![...(event.dataTransfer?.types ?? [])].some((type) => type === "Files" || type === "text/plain")) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  for (const name of ["dragleave", "drop", "dragend"]) {
    document.addEventListener(name, (/** @type {DragEvent} */ event) => {
      if (name !== "dragleave" || !event.relatedTarget) document.body.classList.remove("dropping");
    });
  }
  document.addEventListener("drop", async (event) => {
    const { files } = event.dataTransfer;
    const text = event.dataTransfer.getData("text/plain");
    const target = /** @type {Element} */ (event.target);
    if (!files.length && (!text || target.closest?.("input, textarea"))) return;
    event.preventDefault();
    if (files.length > 1) notify(`Only ${files[0].name} is opened; drop one file at a time.`);
    if (files.length) await readFile(files[0]);
    else await read(text);
  });
}
