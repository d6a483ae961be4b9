// Bytes as hexadecimal digits, and the one JSON text of a value: both are what hashes are made of.

export const hex = (bytes) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
export const fixed = (number, bytes) =>
  Number(number)
    .toString(16)
    .padStart(2 * bytes, "0");
export function octets(digits) {
  if (!/^([0-9a-f]{2})+$/.test(digits)) throw new Error(digits);
  return digits.match(/../g).map((pair) => parseInt(pair, 16));
}

// A text, and bytes as digits after it.
export const joined = (text, ...digits) =>
  Uint8Array.from([...new TextEncoder().encode(text), ...digits.flatMap(octets)]);
export const hashed = async (...parts) =>
  hex(await crypto.subtle.digest("SHA-256", joined(...parts)));

// The names of an object may be numbers, which no object keeps in the order of text.
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (!value || typeof value !== "object") return JSON.stringify(value ?? null);
  return `{${Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`;
}
