/** A worker that loads one packed file: it fetches it, compares it with what was built, and unpacks it. */

import { unpacked } from "./unpack.js";

self.onmessage = async ({ data: { path, size, sha256, whole, halves } }) => {
  try {
    const packed = await fetched(path, size);
    if (crypto.subtle && sha256 !== hexadecimal(await crypto.subtle.digest("SHA-256", packed))) throw new Error(`${path} came damaged`);
    const bytes = unpacked(packed, whole, halves);
    self.postMessage({ bytes }, [bytes.buffer]);
  } catch (error) {
    self.postMessage({ fault: error.message });
  }
};

async function fetched(path, size) {
  const answer = await fetch(new URL(path, import.meta.url)).catch((error) => {
    throw new Error(`${path} cannot be loaded: ${error.message}`);
  });
  if (!answer.ok) throw new Error(`${path} cannot be loaded: the host says ${answer.status}`);
  const bytes = new Uint8Array(size);
  let loaded = 0;
  for (const reader = answer.body.getReader(); ; ) {
    const { done, value } = await reader.read().catch((error) => {
      throw new Error(`${path} cannot be loaded: ${error.message}`);
    });
    if (!done && loaded + value.length <= size) bytes.set(value, loaded);
    loaded += value?.length ?? 0;
    if (done || loaded > size) break;
    self.postMessage({ loaded: value.length });
  }
  if (loaded !== size) throw new Error(`${path} came damaged`);
  return bytes;
}

const hexadecimal = (digest) => [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
