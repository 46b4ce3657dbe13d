import type { FieldReader } from "./field-values.ts";
import type { IndexedFile } from "./index-dataset.ts";

/** Files of a dataset by the fields that identify samples. */
export interface FileGroups {
  /** One group for each possible sample of the dataset. */
  readonly groups: readonly FileGroup[];
  /** Files without any of the fields. */
  readonly homeless: readonly IndexedFile[];
}

export interface FileGroup {
  /** Values in the order of the fields; undefined: the files of the sample have none. */
  readonly key: GroupKey;
  /**
   * Files with these values. A file without one of the fields belongs to all samples that agree on the others: an
   * anatomical image without a run serves all runs.
   */
  readonly files: readonly IndexedFile[];
}

export type GroupKey = readonly (string | undefined)[];

export function groupFiles(files: readonly IndexedFile[], per: readonly FieldReader[]): FileGroups {
  const byKey = new Map<string, { readonly key: GroupKey; readonly files: IndexedFile[] }>();
  const homeless: IndexedFile[] = [];
  for (const file of files) {
    const key = per.map(({ valueOf }) => valueOf(file));
    if (key.every((value) => value === undefined)) {
      homeless.push(file);
      continue;
    }
    const text = keyText(key);
    const known = byKey.get(text);
    if (known === undefined) byKey.set(text, { key, files: [file] });
    else known.files.push(file);
  }
  const general = new Set([...byKey.values()].flatMap(({ key }) => generalizations(key).slice(1)));
  const groups = [...byKey.values()]
    .filter(({ key }) => !general.has(keyText(key)))
    .map(({ key }) => ({ key, files: generalizations(key).flatMap((text) => byKey.get(text)?.files ?? []) }));
  return { groups, homeless };
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
