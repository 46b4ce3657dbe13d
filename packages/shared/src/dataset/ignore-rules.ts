/** Rules of `.bidsignore`, which has the format of `.gitignore`: the last rule that matches a path decides. */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    this.#rules = text.split(/\r?\n/, MAX_RULES).flatMap((line) => readRule(line) ?? []);
  }

  /** `path`: relative, without a slash at its end. A file in an ignored folder is ignored. */
  ignores(path: string): boolean {
    if (this.#rules.length === 0) return false;
    const names = path.split("/");
    return names.some((_, index) => this.#decides(names.slice(0, index + 1), index < names.length - 1));
  }

  #decides(names: readonly string[], isFolder: boolean): boolean {
    const rule = this.#rules.findLast(
      ({ parts, onlyFolders }) => (isFolder || !onlyFolders) && matchParts(parts, names, matchesName, "**"),
    );
    return rule !== undefined && !rule.isNegated;
  }
}

interface Rule {
  readonly parts: readonly string[];
  readonly isNegated: boolean;
  readonly onlyFolders: boolean;
}

const MAX_RULES = 1000;
const MAX_RULE_LENGTH = 500;

function readRule(line: string): Rule | undefined {
  const text = line.trimEnd();
  if (text === "" || text.startsWith("#") || text.length > MAX_RULE_LENGTH) return undefined;
  const isNegated = text.startsWith("!");
  const body = isNegated ? text.slice(1) : text;
  const onlyFolders = body.endsWith("/");
  const path = body.replace(/\/$/, "");
  const isAnchored = path.includes("/");
  // At the end, `**` stands for everything in a folder, but not for the folder itself.
  const parts = path
    .replace(/^\//, "")
    .replace(/\/\*\*$/, "/**/*")
    .split("/");
  return { parts: isAnchored ? parts : ["**", ...parts], isNegated, onlyFolders };
}

/** Matches one name with `*`, `?` and `[abc]`. The time grows with the product of the lengths. */
function matchesName(pattern: string, name: string): boolean {
  return matchParts(unitsOf(pattern), [...name], matchesUnit, "*");
}

/**
 * Matches a list with a pattern in which `any` stands for any number of elements. Returns to the last of these only, so
 * that hostile patterns cost little.
 */
function matchParts(
  pattern: readonly string[],
  items: readonly string[],
  matches: (part: string, item: string) => boolean,
  any: string,
): boolean {
  let [at, item, anyAt, anyItem] = [0, 0, -1, 0];
  while (item < items.length) {
    const part = pattern[at];
    if (part === any) [anyAt, anyItem, at] = [at, item, at + 1];
    else if (part !== undefined && matches(part, items[item] ?? "")) [at, item] = [at + 1, item + 1];
    else if (anyAt !== -1) [at, item, anyItem] = [anyAt + 1, anyItem + 1, anyItem + 1];
    else return false;
  }
  return pattern.slice(at).every((part) => part === any);
}

function unitsOf(pattern: string): readonly string[] {
  return pattern.match(/\[[^\]]+\]|\\?[^]/gu) ?? [];
}

function matchesUnit(unit: string, character: string): boolean {
  if (unit === "?") return true;
  if (unit.startsWith("[") && unit.length > 2) return matchesClass(unit.slice(1, -1), character);
  return (unit.length > 1 && unit.startsWith("\\") ? unit.slice(1) : unit) === character;
}

function matchesClass(body: string, character: string): boolean {
  const isNegated = /^[!^]/.test(body);
  const ranges = (isNegated ? body.slice(1) : body).match(/[^]-[^]|[^]/gu) ?? [];
  const isIn = ranges.some((range) => {
    const [first = "", , last = first] = [...range];
    return range.length > 2 ? first <= character && character <= last : range === character;
  });
  return isIn !== isNegated;
}
