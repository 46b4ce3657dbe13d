import type { FieldReader } from "./field-values.ts";
import type { IndexedFile } from "./index-dataset.ts";

export interface FileGroup {
  /** Values in the order of the fields; undefined: the files of the sample have none. */
  readonly key: GroupKey;
  /**
   * Files with these values. A file without one of the fields belongs to all samples that agree on the others: an
   * anatomical image without a run serves all runs.
   */
  readonly files: readonly IndexedFile[];
}

type GroupKey = readonly (string | undefined)[];

/** One group for each possible sample of the dataset; files without any of the fields are in none. */
export function groupFiles(files: readonly IndexedFile[], per: readonly FieldReader[]): readonly FileGroup[] {
  const keyOf = (file: IndexedFile): GroupKey => per.map(({ valueOf }) => valueOf(file));
  const byKey = Map.groupBy(files, (file) => keyText(keyOf(file)));
  const keys = [...byKey.values()].flatMap(([first]) => (first === undefined ? [] : [keyOf(first)]));
  const general = new Set(keys.flatMap((key) => generalizations(key).slice(1)));
  return keys
    .filter((key) => key.some((value) => value !== undefined) && !general.has(keyText(key)))
    .map((key) => ({ key, files: generalizations(key).flatMap((text) => byKey.get(text) ?? []) }));
}

/** The key itself first, then every key with fewer values. */
function generalizations(key: GroupKey): string[] {
  const variants = key.reduce<GroupKey[]>(
    (known, value) =>
      known.flatMap((start) =>
        value === undefined
          ? [[...start, value]]
          : [
              [...start, value],
              [...start, undefined],
            ],
      ),
    [[]],
  );
  return variants.filter((variant) => variant.some((value) => value !== undefined)).map(keyText);
}

function keyText(key: GroupKey): string {
  return JSON.stringify(key);
}
