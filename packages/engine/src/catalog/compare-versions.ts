import { compare as compareSemantic, valid } from "semver";

/** Oldest first: by semantic version where both are one, else naturally (`0.10` after `0.9`). */
export function compareVersions(a: string, b: string): number {
  if (valid(a) !== null && valid(b) !== null) return compareSemantic(a, b) || compareNaturally(a, b);
  return compareNaturally(a, b);
}

function compareNaturally(a: string, b: string): number {
  const left = parts(a);
  const right = parts(b);
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const order = comparePart(left[index] ?? "", right[index] ?? "");
    if (order !== 0) return order;
  }
  return a < b ? -1 : Number(a > b);
}

function parts(text: string): readonly string[] {
  return text.match(/\d+|\D+/g) ?? [];
}

function comparePart(a: string, b: string): number {
  if (/^\d/.test(a) && /^\d/.test(b)) return Number(a) - Number(b);
  return a < b ? -1 : Number(a > b);
}
