import { jsonPointer } from "@weft/shared/json-pointer.ts";

/** The path to a forbidden key, text or nesting in a parsed JSON value. */
export interface UnsafeValue {
  readonly kind: "too-deep" | "forbidden-key" | "lone-surrogate";
  readonly pointer: string;
}

type Found = { readonly kind: UnsafeValue["kind"]; readonly path: string[] };

/**
 * Finds nesting below `depthLimit` and keys called `__proto__` (JSON.parse makes them own properties, and any later
 * `target[key] = value` would change a prototype), and half characters, which the database would replace. The recursion is
 * bounded by the limit.
 */
export function findUnsafeValue(value: unknown, depthLimit: number): UnsafeValue | undefined {
  const found = search(value, depthLimit);
  return found === undefined ? undefined : { kind: found.kind, pointer: jsonPointer(found.path.toReversed()) };
}

/** Collects the path on the way back, last key first, so that it costs nothing if nothing is found. */
function search(value: unknown, levels: number): Found | undefined {
  if (typeof value === "string" && !value.isWellFormed()) return { kind: "lone-surrogate", path: [] };
  if (typeof value !== "object" || value === null) return undefined;
  if (levels === 0) return { kind: "too-deep", path: [] };
  if (Array.isArray(value)) return searchItems(value, levels);
  for (const [key, child] of Object.entries(value)) {
    if (key === "__proto__") return { kind: "forbidden-key", path: [key] };
    if (!key.isWellFormed()) return { kind: "lone-surrogate", path: [key] };
    const found = searchBelow(child, key, levels);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Creates no object per item, because a list may have millions. */
function searchItems(items: readonly unknown[], levels: number): Found | undefined {
  for (let at = 0; at < items.length; at++) {
    const found = searchBelow(items[at], at, levels);
    if (found !== undefined) return found;
  }
  return undefined;
}

function searchBelow(child: unknown, key: string | number, levels: number): Found | undefined {
  const found = search(child, levels - 1);
  found?.path.push(String(key));
  return found;
}
