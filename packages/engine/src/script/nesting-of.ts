/** The nesting depth of arrays and objects in a JSON text; 0 for a plain value. */
export function nestingOf(json: string): number {
  let deepest = 0;
  let depth = 0;
  for (let index = 0; index < json.length; index++) {
    const character = json.charCodeAt(index);
    if (character === QUOTE) index = endOfText(json, index);
    else if (character === BRACKET || character === BRACE) deepest = Math.max(deepest, ++depth);
    else if (character === BRACKET + 2 || character === BRACE + 2) depth -= 1;
  }
  return deepest;
}

const QUOTE = 0x22;
const BRACKET = 0x5b;
const BRACE = 0x7b;

function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

/** True if an odd number of backslashes precedes the character. */
function isEscaped(json: string, index: number): boolean {
  let first = index;
  while (json[first - 1] === "\\") first -= 1;
  return (index - first) % 2 === 1;
}
