import { countText, numberText } from "@weft/shared/text/count-text.ts";

/** The selected runs of a list, and the anchor of a range. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly anchor: string | undefined;
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: undefined };

interface SelectOptions {
  /** Ids in display order. */
  readonly shown: readonly string[];
  readonly id: string;
  /** True with the Shift key: applies to all runs between the anchor and this run. */
  readonly isRange: boolean;
}

/** Selects a run, or deselects it. */
export function select(old: Selection, { shown, id, isRange }: SelectOptions): Selection {
  const isOn = !old.ids.has(id);
  const ids = new Set(old.ids);
  for (const each of isRange ? range(shown, old.anchor, id) : [id]) {
    if (isOn) ids.add(each);
    else ids.delete(each);
  }
  return { ids, anchor: id };
}

function range(shown: readonly string[], anchor: string | undefined, id: string): readonly string[] {
  const [from, to] = [shown.indexOf(anchor ?? id), shown.indexOf(id)];
  if (from < 0 || to < 0) return [id];
  return shown.slice(Math.min(from, to), Math.max(from, to) + 1);
}

/** The server's answers to aborts. Fulfilled without a value: the run has ended; with one: its jobs are being stopped. */
type Answers = readonly PromiseSettledResult<unknown>[];

/** The outcome for several runs: `2 runs ended, 1 is still stopping, 1 could not be aborted: …`. */
export function abortedText(answers: Answers): string {
  const refusals = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
  const stopping = answers.filter((answer) => answer.status === "fulfilled" && answer.value !== undefined).length;
  const groups: readonly (readonly [number, string])[] = [
    [answers.length - refusals.length - stopping, "ended"],
    [stopping, `${stopping === 1 ? "is" : "are"} still stopping`],
    [refusals.length, `could not be aborted: ${refusals[0] instanceof Error ? refusals[0].message : "unknown error"}`],
  ];
  return groups
    .filter(([count]) => count > 0)
    .map(([count, what], place) => `${place === 0 ? countText(count, "run") : numberText(count)} ${what}`)
    .join(", ");
}
