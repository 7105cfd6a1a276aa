/** Begins the worker before anything else of the page is loaded: it loads beside the page, and waits to be let in. */

const worker = new Worker(document.documentElement.dataset.worker, { type: "module" });
/** What it says before the page listens; nothing for a fault. */
const said = [];
worker.onmessage = ({ data }) => said.push(data);
worker.onerror = () => said.push(null);
window.begun = { worker, said };
