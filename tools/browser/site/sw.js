/** Keeps the page in the browser: it opens at once the next time, and without a network. */

/** What there is: the build writes it. */
const { version, first, later } = { version: "", first: [], later: [] };
const CACHE = `bordeaux-${version}`;
const MADE = "bordeaux-made";
const BASE = new URL("./", self.location.href).href;

/** The files are those of this version: what the browser has of an older one is asked for anew. */
const asked = (path) => new Request(new URL(path === "index.html" ? "./" : path, BASE).href, { cache: "no-cache" });

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(first.map(asked))));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) {
        if (name.startsWith("bordeaux-") && name !== CACHE && name !== MADE) await caches.delete(name);
      }
      await self.clients.claim();
    })(),
  );
});

/** What is seldom needed is fetched when the page has time. */
self.addEventListener("message", (event) => {
  if (event.data !== "later") return;
  event.waitUntil(
    caches.open(CACHE).then(async (cache) => {
      for (const path of later) {
        if (!(await cache.match(asked(path)))) await cache.add(asked(path)).catch(() => {});
      }
    }),
  );
});

self.addEventListener("fetch", (event) => {
  const { url, method } = event.request;
  if (method !== "GET" || !url.startsWith(BASE)) return;
  event.respondWith(
    (async () => {
      const name = url.startsWith(`${BASE}made/`) ? MADE : CACHE;
      const kept = await (await caches.open(name)).match(event.request, { ignoreSearch: true });
      return kept ?? fetch(event.request);
    })(),
  );
});
