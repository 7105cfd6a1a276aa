"use strict";
// One node at a time, by links, by the address, and by the arrow keys; without this script all nodes are shown.
(() => {
  const sections = [...document.querySelectorAll("section")];
  if (!sections.length) return;
  const nav = document.querySelector("nav");
  document.body.classList.add("one");
  const named = () => document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const show = () => {
    const found = named();
    const here = sections.includes(found) ? found : sections[0];
    for (const each of sections) each.classList.toggle("here", each === here);
    for (const link of document.querySelectorAll("nav a")) {
      const now = link.getAttribute("href") === "#" + here.id;
      if (now) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
      if (now) nav.scrollTop = Math.max(0, link.offsetTop - nav.offsetTop - nav.clientHeight / 2);
    }
    document.title = here.querySelector("h2").textContent + " - " + document.querySelector("h1").textContent;
    window.scrollTo(0, 0);
  };
  const go = (link) => { if (link) location.hash = link.getAttribute("href"); };
  addEventListener("hashchange", show);
  // The browser goes to the node of the address once more when all is there.
  addEventListener("load", () => requestAnimationFrame(() => window.scrollTo(0, 0)));
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const here = document.querySelector("section.here");
    const at = sections.indexOf(here);
    const ways = {
      ArrowLeft: () => go(here.querySelector(".ways .back")),
      ArrowRight: () => go(here.querySelector(".ways .on")),
      ArrowUp: () => { if (at > 0) location.hash = "#" + sections[at - 1].id; },
      ArrowDown: () => { if (at + 1 < sections.length) location.hash = "#" + sections[at + 1].id; },
    };
    const way = ways[event.key];
    if (way) { event.preventDefault(); way(); }
  });
  show();
})();
