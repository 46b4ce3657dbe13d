/** The selected runs of a list, and the anchor of a range. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly anchor: string | undefined;
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: undefined };

export interface SelectOptions {
  /** Ids in display order. */
  readonly shown: readonly string[];
  readonly id: string;
  /** With Shift: applies to everything between the anchor and this run. */
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
