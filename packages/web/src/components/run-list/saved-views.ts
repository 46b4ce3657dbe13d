import { Persisted } from "../../ui/persisted.ts";

/** A list of runs under a name: the query of its URL. */
interface SavedView {
  readonly name: string;
  readonly search: string;
}

const MAX_VIEWS = 30;
const MAX_CHARACTERS = 60;

/** The views of this browser, sorted by name. */
export const savedViews = new Persisted("weft.run-views", readViews);

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
