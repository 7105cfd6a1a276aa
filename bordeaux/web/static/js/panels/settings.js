/** What the reader has set, kept in this browser. */

const PREFIX = "bordeaux-";

/** The settings of a panel, or nothing where none are kept or what is kept is broken. */
export function kept(panel) {
  try {
    const told = JSON.parse(localStorage.getItem(PREFIX + panel) ?? "{}");
    return told && typeof told === "object" ? told : {};
  } catch {
    return {};
  }
}

/** Keep them, where the browser lets us. */
export function keep(panel, settings) {
  try {
    localStorage.setItem(PREFIX + panel, JSON.stringify(settings));
  } catch {
    // A browser may keep nothing; then they last as long as the page.
  }
}
