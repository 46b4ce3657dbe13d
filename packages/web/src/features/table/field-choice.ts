import type { TableField } from "@weft/shared/records/table-record.ts";
import { useCallback, useMemo, useSyncExternalStore } from "react";

const KEY = "weft.table-fields";
const MAX_PROCESSES = 50;
const MAX_CHOSEN = 60;
/** Number of fields that are shown before anyone has chosen. */
const FIRST_CHOICE = 8;
/** A text with few values, such as the site, forms groups. */
const MAX_GROUPS = 8;

/** The chosen fields of networks and tools, by their id; the last one changed comes last. */
export class FieldChoices {
  readonly #storage: Pick<Storage, "getItem" | "setItem">;
  readonly #listeners = new Set<() => void>();

  constructor(storage: Pick<Storage, "getItem" | "setItem">) {
    this.#storage = storage;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly text = (): string | null => this.#storage.getItem(KEY);

  set(process: string, fields: readonly string[]): void {
    const others = [...parseChoices(this.text())].filter(([id]) => id !== process);
    const kept = [...others, [process, fields.slice(0, MAX_CHOSEN)] as const].slice(-MAX_PROCESSES);
    this.#storage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
    for (const listener of this.#listeners) listener();
  }
}

/** Ignores entries that this app did not write. */
export function parseChoices(text: string | null): ReadonlyMap<string, readonly string[]> {
  let value: unknown;
  try {
    value = JSON.parse(text ?? "{}");
  } catch {
    return new Map();
  }
  if (typeof value !== "object" || value === null) return new Map();
  return new Map(
    Object.entries(value).flatMap(([process, fields]) =>
      Array.isArray(fields) && fields.every((field) => typeof field === "string") ? [[process, fields]] : [],
    ),
  );
}

/** Measures that differ between samples come first, then what forms groups: they are what a cohort is about. */
export function usualFields(fields: readonly TableField[]): readonly string[] {
  const weight = ({ source, type, distinct, filled, id }: TableField): number => {
    if (distinct < 2) return 3;
    if (type !== "number") return distinct <= MAX_GROUPS && distinct * 2 <= filled ? 1 : 3;
    return /\/\d+$/.test(id) ? 2 : source === "output" ? 0 : 1;
  };
  const ranked = fields.map((field, place) => ({ field, place, rank: weight(field) }));
  const best = ranked.toSorted((a, b) => a.rank - b.rank || a.place - b.place).slice(0, FIRST_CHOICE);
  const useful = best.some(({ rank }) => rank < 3) ? best.filter(({ rank }) => rank < 3) : best;
  return useful.toSorted((a, b) => a.place - b.place).map(({ field }) => field.id);
}

let shared: FieldChoices | undefined;

/** The choices in this browser. Created when first needed: tests have no browser. */
function choicesHere(): FieldChoices {
  return (shared ??= new FieldChoices(localStorage));
}

/** The chosen fields of a network in this browser. */
export function useFieldChoice(
  process: string,
  fields: readonly TableField[],
): { readonly chosen: readonly string[]; readonly choose: (ids: readonly string[]) => void } {
  const text = useSyncExternalStore(choicesHere().subscribe, choicesHere().text);
  const chosen = useMemo(() => {
    const known = parseChoices(text).get(process);
    const there = new Set(fields.map(({ id }) => id));
    return known?.filter((id) => there.has(id)) ?? usualFields(fields);
  }, [text, process, fields]);
  const choose = useCallback((ids: readonly string[]) => choicesHere().set(process, ids), [process]);
  return { chosen, choose };
}
