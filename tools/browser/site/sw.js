/** Keeps the page in the browser: it opens at once the next time, and without a network. */

/** What there is, by path with its checksum: the build writes it. */
const { version, first, later } = { version: "", first: {}, later: {} };
const CACHE = `bordeaux-${version}`;
const MADE = "bordeaux-made";
const BASE = new URL("./", self.location.href).href;

/** The files are those of this version: what the browser has of an older one is asked for anew, and what the host has of another refused. */
const asked = ([path, integrity]) => new Request(new URL(path === "index.html" ? "./" : path, BASE).href, { cache: "no-cache", integrity });

self.addEventListener("install", (event) => {
  // Browsers that can look there by themselves need not wait for this worker.
  const kept = (pathname, cacheName) => ({ condition: { urlPattern: { pathname, search: "" }, requestMethod: "get" }, source: { cacheName } });
  const path = new URL(BASE).pathname.replace(/[\\+*?(){}:]/g, "\\$&");
  event.addRoutes?.([kept(`${path}made/*`, MADE), kept(`${path}*`, CACHE)])?.catch(() => {});
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(Object.entries(first).map(asked))));
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

self.addEventListener("message", (event) => {
  // A new version waits until a page that begins asks for it: one that runs keeps what it began with.
  if (event.data === "begin") self.skipWaiting();
  if (event.data !== "later") return;
  // What is seldom needed is fetched when the page has time.
  event.waitUntil(
    caches.open(CACHE).then(async (cache) => {
      for (const request of Object.entries(later).map(asked)) {
        if (!(await cache.match(request))) await cache.add(request).catch(() => {});
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
