// Bytes as hexadecimal digits, and the one JSON text of a value: both are what hashes are made of.

export const hex = (bytes) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
export const octets = (digits) => digits.match(/../g).map((pair) => parseInt(pair, 16));

// The names of an object may be numbers, which no object keeps in the order of text.
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (!value || typeof value !== "object") return JSON.stringify(value ?? null);
  return `{${Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`;
}
