import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { ofAccount } from "../../api/account.ts";
import { Persisted } from "../../ui/persisted.ts";

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

interface HeldRuns<R> {
  readonly shown: readonly R[];
  /** Number of newer runs that are not shown yet. */
  readonly held: number;
}

/**
 * Separates the runs that existed when the list was opened from newer ones, so that rows do not move under the cursor.
 * Run ids sort by creation time; undefined: the list was empty, so nothing can move.
 */
export function holdNewRuns<R extends Pick<RunSummary, "run_id">>(
  runs: readonly R[],
  newestSeen: string | undefined,
): HeldRuns<R> {
  if (newestSeen === undefined) return { shown: runs, held: 0 };
  const shown = runs.filter(({ run_id }) => run_id <= newestSeen);
  return { shown, held: runs.length - shown.length };
}

/** The newest of some runs; undefined if there are none. */
export function newestOf(runs: readonly Pick<RunSummary, "run_id">[]): string | undefined {
  return runs
    .map(({ run_id }) => run_id)
    .reduce<string | undefined>((a, b) => (a === undefined || b > a ? b : a), undefined);
}

/** A list of runs under a name: the query of its URL. */
interface SavedView {
  readonly name: string;
  readonly search: string;
}

const MAX_VIEWS = 30;
const MAX_CHARACTERS = 60;

/** The views of this browser, sorted by name. */
export const savedViews = new Persisted("weft.run-views", readViews, ofAccount);

/** Adds a view, or replaces one of the same name; beyond the maximum, the new one is not saved. */
export function withView(views: readonly SavedView[], name: string, search: string): readonly SavedView[] {
  const plain = name.trim().slice(0, MAX_CHARACTERS);
  const others = views.filter((view) => view.name !== plain);
  if (plain === "" || others.length >= MAX_VIEWS) return views;
  return [...others, { name: plain, search }].toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Ignores entries that this app did not write. */
export function readViews(kept: unknown): readonly SavedView[] {
  return Array.isArray(kept) ? kept.filter(isView).slice(0, MAX_VIEWS) : [];
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== "object" || value === null) return false;
  return "name" in value && typeof value.name === "string" && "search" in value && typeof value.search === "string";
}
