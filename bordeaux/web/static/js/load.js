/** Studies in and out of the page: opened from files, pasted or dropped text, begun afresh, listed, deleted. */

import { ApiError, attempt, del, get, notify, post, saves } from "./api.js";
import { confirmed, dialog } from "./dialog.js";
import { button, el } from "./dom.js";
import { phaseName } from "./stepper.js";

/** What a browser may show of files to open. */
const FILES = ".json,.jsonl,.txt,.gz,.dfen,.dson,application/json,text/plain";

/** How a file of all studies begins. */
const ALL = /^\s*\{\s*"studies"\s*:/;

/** The text of a file; one that ends in .gz is unpacked. */
async function textOf(file) {
  if (!file.name.endsWith(".gz")) return file.text();
  const unpacked = file.stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked).text();
}

/** The dialogs of a page, and its drop zone. */
export function mountLoading(store) {
  /** Open a text as a study; where it holds many games, ask which. Gives whether it was opened. */
  async function read(text, name = "", index = 0) {
    if (ALL.test(text)) return readAll(text);
    const body = { text, index, ...(name ? { name } : {}) };
    const study = await attempt(() => store.begin(body));
    if (study?.games > 1 && index === 0) which(text, name, study);
    return study !== null;
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
    const box = dialog(
      `${study.games} games`,
      el(
        "form",
        {
          class: "row",
          method: "dialog",
          on: {
            submit: async () => {
              const chosen = Number(field.value) - 1;
              if (chosen > 0 && (await read(text, name, chosen))) await attempt(() => del(`/api/studies/${study.id}`));
            },
          },
        },
        el("label", { for: "which-game", text: "Open game number" }),
        field,
        el("button", { type: "submit", class: "strong", text: "Open" }),
      ),
    );
    box.classList.add("narrow");
  }

  async function readFile(file) {
    const text = await attempt(async () => {
      const read = await textOf(file).catch(() => {
        throw new ApiError(`${file.name} cannot be read; is it damaged?`, 0);
      });
      if (!read.trim()) throw new ApiError(`${file.name} is empty.`, 0);
      return read;
    });
    return text === null ? false : read(text, file.name.replace(/\.(gz|json|jsonl|txt)\b/g, ""));
  }

  function open() {
    const file = el("input", { type: "file", id: "open-file", accept: FILES });
    const pasted = el("textarea", {
      id: "open-text",
      rows: "9",
      spellcheck: "false",
      placeholder: "A saved game, a position, orders as text, a page of a site or its address, or a link",
    });
    const box = dialog(
      "Open",
      el("label", { for: "open-file", text: "File: a saved game, a position, or a page of a site; gzip too" }),
      el("p", {}, file),
      el("label", { for: "open-text", text: "Or paste" }),
      pasted,
      el("p", { class: "row ends" }, button("Import", () => paste(), { class: "strong" })),
      el("p", { class: "muted", text: "Or drop a file anywhere on the page." }),
      store.about.lacks.sites ? el("p", { class: "muted", text: store.about.lacks.sites }) : null,
    );
    file.addEventListener("change", async () => {
      if (file.files.length && (await readFile(file.files[0]))) box.close();
    });

    async function paste() {
      const text = pasted.value.trim();
      if (!text) return;
      const link = /(?:position|shared)=[\w-]+/.exec(text);
      const done = link && !/\s/.test(text) ? await attempt(() => store.begin({ permalink: link[0] })) : await read(text);
      if (done) box.close();
    }
  }

  function fresh() {
    const map = el(
      "select",
      { id: "fresh-map" },
      ...store.about.maps.map((name) => el("option", { value: name, selected: name === "standard", text: name })),
    );
    const name = el("input", { id: "fresh-name", maxlength: "200", placeholder: "Optional" });
    const box = dialog(
      "New board",
      el(
        "form",
        {
          class: "fields",
          on: {
            submit: async (event) => {
              event.preventDefault();
              const named = name.value.trim();
              const body = { start: true, map: map.value, ...(named ? { name: named } : {}) };
              if (await attempt(() => store.begin(body))) box.close();
            },
          },
        },
        el("label", { for: "fresh-map", text: "Map" }),
        map,
        el("label", { for: "fresh-name", text: "Name" }),
        name,
        el("p", { class: "row ends" }, el("button", { type: "submit", class: "strong", text: "Start" })),
      ),
    );
    box.classList.add("narrow");
  }

  async function studies() {
    const list = el("ul", { class: "studies" });
    const all = el("a", { class: "button", download: "", text: "Save all as a file" });
    saves(all, "/api/studies.json");
    const back = el("p", { class: "muted", text: "Open reads such a file again." });
    const box = dialog("Studies", list, el("p", { class: "row ends" }, back, all));
    await show();

    async function show() {
      const found = (await attempt(() => get("/api/studies"))) ?? [];
      list.replaceChildren(...found.map((each) => item(each)));
      if (!found.length) list.append(el("li", { class: "muted", text: "No studies yet." }));
    }

    function item({ id, name, phase, changed, error }) {
      const remove = (disabled) =>
        button("Delete", () => removeStudy(id, name), { class: "quiet danger small", disabled, "aria-label": `Delete ${name}` });
      if (error) {
        const told = el("span", { class: "muted when", text: error });
        return el("li", {}, el("span", { class: "name broken", text: name }), told, remove(false));
      }
      const here = id === store.study?.id;
      const when = new Date(typeof changed === "number" ? changed * 1000 : changed);
      return el(
        "li",
        {},
        button(name, () => openStudy(id), { class: "quiet name", "aria-current": here ? "true" : null }),
        el("span", { class: "muted when", text: `${phaseName(phase)} · ${when.toLocaleString([], { dateStyle: "medium", timeStyle: "short" })}` }),
        remove(here),
      );
    }

    async function openStudy(id) {
      await attempt(() => store.open(id));
      box.close();
    }

    async function removeStudy(id, name) {
      if (!(await confirmed(`Delete the study “${name}” for good?`, "Delete"))) return;
      await attempt(() => del(`/api/studies/${id}`));
      await show();
    }
  }

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

  return { open, fresh, studies };
}
