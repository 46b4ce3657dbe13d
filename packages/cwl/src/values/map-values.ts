import type { CwlObject, CwlValue } from "../model/cwl-value.ts";

/** Returns the list with every item changed; if no item changes, the list itself and not a copy. */
export function mapItems<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  let copy: Item[] | undefined;
  for (const [index, item] of items.entries()) {
    const changed = change(item);
    if (changed !== item) copy ??= items.slice(0, index);
    copy?.push(changed);
  }
  return copy ?? items;
}

/** Returns the object with every field changed; if no field changes, the object itself and not a copy. */
export function mapFields(object: CwlObject, change: (value: CwlValue) => CwlValue): CwlObject {
  const changes: [name: string, value: CwlValue][] = [];
  for (const [name, value] of Object.entries(object)) {
    const changed = change(value);
    if (changed !== value) changes.push([name, changed]);
  }
  return changes.length === 0 ? object : { ...object, ...Object.fromEntries(changes) };
}
