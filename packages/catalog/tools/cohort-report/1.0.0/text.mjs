// Text for a page of HTML or SVG.

/** Text from outside as harmless markup, in elements and in attributes. */
export function escaped(text) {
  const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replaceAll(/[&<>"']/g, (letter) => entities[letter]);
}

/** A number for reading: fixed decimals, a real minus sign (never before zero), a dash where there is none. */
export function shown(number, digits) {
  if (number === null) return "–";
  const text = number.toFixed(digits);
  return Number(text) < 0 ? text.replace("-", "−") : text.replace("-", "");
}
