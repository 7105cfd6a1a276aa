/** A worker that loads one packed file: it fetches it, compares it with what was built, and unpacks it. */

import { unpacked } from "./unpack.js";

self.onmessage = async ({ data: { path, ...built } }) => {
  try {
    // What the browser has kept may be of another version.
    const bytes = (await intact(path, built, "default")) ?? (await intact(path, built, "reload"));
    if (!bytes) throw new Error(`${path} came damaged`);
    self.postMessage({ bytes }, [bytes.buffer]);
  } catch (error) {
    self.postMessage({ fault: error.message });
  }
};

/** What a file holds; nothing if it is not what was built. */
async function intact(path, { size, sha256, whole, halves }, cache) {
  const packed = await fetched(path, size, cache);
  if (!packed) return null;
  // Without HTTPS a browser does not say what the checksum is, and what is damaged may come to be unpacked.
  if (crypto.subtle && sha256 !== hexadecimal(await crypto.subtle.digest("SHA-256", packed))) return null;
  return unpacked(packed, whole, halves).catch(() => null);
}

/** The bytes of a file, if they are as many as they should be. */
async function fetched(path, size, cache) {
  const failed = ({ message }) => {
    throw new Error(`${path} cannot be loaded: ${message}`);
  };
  const answer = await fetch(new URL(path, import.meta.url), { cache }).catch(failed);
  if (!answer.ok) failed({ message: `the host says ${answer.status}` });
  const bytes = new Uint8Array(size);
  let loaded = 0;
  for (const reader = answer.body.getReader(); ; ) {
    const { done, value } = await reader.read().catch(failed);
    if (done) break;
    if (loaded + value.length <= size) bytes.set(value, loaded);
    loaded += value.length;
    self.postMessage({ loaded });
  }
  return loaded === size ? bytes : null;
}

const hexadecimal = (digest) => [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
