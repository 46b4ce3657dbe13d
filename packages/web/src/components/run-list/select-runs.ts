/** Which runs of a list are chosen, and from which one a range goes on. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly anchor: string | undefined;
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: undefined };

export interface SelectOptions {
  /** Ids in the order in which they are shown. */
  readonly shown: readonly string[];
  readonly id: string;
  /** With Shift: everything from the one chosen last to this one gets what this one gets. */
  readonly isRange: boolean;
}

/** Chooses a run, or gives it up where it was chosen. */
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
