/** Names of selected rows; immutable. */
export type Selection = ReadonlySet<string>;

/** Selects or deselects a row. */
export function toggled(selection: Selection, name: string): Selection {
  return selection.has(name) ? withoutName(selection, name) : new Set([...selection, name]);
}

function withoutName(selection: Selection, name: string): Selection {
  return new Set([...selection].filter((other) => other !== name));
}

/** Adds all rows between two rows, in display order, to the selection. */
export function withRange(selection: Selection, names: readonly string[], from: number, to: number): Selection {
  return new Set([...selection, ...names.slice(Math.min(from, to), Math.max(from, to) + 1)]);
}

/** Selects all of these rows, or deselects them if all are selected. */
export function withAll(selection: Selection, names: readonly string[]): Selection {
  if (!names.every((name) => selection.has(name))) return new Set([...selection, ...names]);
  const shown = new Set(names);
  return new Set([...selection].filter((name) => !shown.has(name)));
}
