import type { Shortcut } from "./shortcuts.ts";

export type KeyMatch<Id extends string> =
  | { readonly kind: "act"; readonly id: Id }
  /** The beginning of a longer shortcut. */
  | { readonly kind: "wait"; readonly typed: readonly string[] }
  | { readonly kind: "none" };

/**
 * Matches the keys `typed` so far with the given shortcuts. Drops keys that match nothing, except the last one, which
 * may start a new sequence.
 */
export function matchKeys<Id extends string>(
  shortcuts: readonly (Shortcut & { readonly id: Id })[],
  typed: readonly string[],
): KeyMatch<Id> {
  const candidates = shortcuts.flatMap(({ id, keys }) => keys.map((sequence) => ({ id, sequence })));
  const begun = candidates.filter(({ sequence }) => typed.every((key, place) => sequence[place] === key));
  const whole = begun.find(({ sequence }) => sequence.length === typed.length);
  if (whole !== undefined) return { kind: "act", id: whole.id };
  if (begun.length > 0) return { kind: "wait", typed };
  return typed.length > 1 ? matchKeys(shortcuts, typed.slice(-1)) : { kind: "none" };
}
