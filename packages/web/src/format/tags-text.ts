const MAX_KEY = 64;
const MAX_VALUE = 256;

type Tags = Record<string, string>;

/** Tags as text: one per line, `key: value` or only the key. */
export function tagsText(tags: Readonly<Tags>): string {
  return Object.entries(tags)
    .map(([key, value]) => (value === "" ? key : `${key}: ${value}`))
    .join("\n");
}

/** Parses tags; returns an error message for invalid text. */
export function parseTags(text: string): { readonly tags: Tags; readonly problem: string } {
  const tags = new Map<string, string>();
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    const key = (colon < 0 ? line : line.slice(0, colon)).trim();
    const value = colon < 0 ? "" : line.slice(colon + 1).trim();
    const problem = problemOf({ line, key, value, isKnown: tags.has(key) });
    if (problem !== "") return { tags: {}, problem };
    if (key !== "") tags.set(key, value);
  }
  return { tags: Object.fromEntries(tags), problem: "" };
}

interface Line {
  readonly line: string;
  readonly key: string;
  readonly value: string;
  readonly isKnown: boolean;
}

function problemOf({ line, key, value, isKnown }: Line): string {
  if (key === "") return line.trim() === "" ? "" : `Write a name before the colon: "${line.trim().slice(0, MAX_KEY)}".`;
  if (key.length > MAX_KEY)
    return `The name of a tag can have at most ${MAX_KEY} characters: "${key.slice(0, MAX_KEY)}…".`;
  if (value.length > MAX_VALUE) return `The value of the tag ${key} has more than ${MAX_VALUE} characters.`;
  return isKnown ? `The tag ${key} occurs twice.` : "";
}
