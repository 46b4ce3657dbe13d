import type { TableField } from "@weft/shared/records/table-record.ts";
import { Persisted, usePersisted } from "../../ui/persisted.ts";

const MAX_PROCESSES = 50;
const MAX_CHOSEN = 60;
/** Number of fields that are shown before anyone has chosen. */
const FIRST_CHOICE = 8;
/** The maximum number of distinct strings in a column that forms groups, such as the site. */
const MAX_GROUPS = 8;

type Choices = Readonly<Record<string, readonly string[]>>;

/** The chosen fields of networks and tools, by their id; the last one changed comes last. */
const fieldChoices = new Persisted("weft.table-fields", readChoices);

/** Ignores entries that this app did not write. */
export function readChoices(kept: unknown): Choices {
  if (typeof kept !== "object" || kept === null) return {};
  const isList = (value: unknown) => Array.isArray(value) && value.every((field) => typeof field === "string");
  return Object.fromEntries(Object.entries(kept).filter(([, fields]) => isList(fields)));
}

export function withChoice(choices: Choices, process: string, fields: readonly string[]): Choices {
  const others = Object.entries(choices).filter(([id]) => id !== process);
  return Object.fromEntries([...others, [process, fields.slice(0, MAX_CHOSEN)] as const].slice(-MAX_PROCESSES));
}

/** The fields to show first: measures that differ between samples, then fields that form groups. */
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

/** The chosen fields of a network in this browser. */
export function useFieldChoice(
  process: string,
  fields: readonly TableField[],
): { readonly chosen: readonly string[]; readonly choose: (ids: readonly string[]) => void } {
  const [choices] = usePersisted(fieldChoices);
  const there = new Set(fields.map(({ id }) => id));
  return {
    chosen: choices[process]?.filter((id) => there.has(id)) ?? usualFields(fields),
    choose: (ids) => fieldChoices.set(withChoice(fieldChoices.get(), process, ids)),
  };
}
