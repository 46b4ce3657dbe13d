import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { bidsSource, commonFields, type BidsSource } from "@weft/shared/dataset/bids-source.ts";
import type { Fields } from "@weft/shared/dataset/read-bids-name.ts";
import type { PortableUris } from "../../files/portable-uri.ts";
import { isFileOrDirectory } from "../../values/map-files.ts";

/** Input id → the names of its elements. */
export type SampleNames = Readonly<Record<string, readonly string[]>>;

/** The only sample of a run; undefined if it has none or several. */
export function onlySample(samples: SampleNames): string | undefined {
  const names = new Set(Object.values(samples).flat());
  const [first] = names;
  return names.size === 1 ? first : undefined;
}

/** The files of BIDS datasets that samples were made of, by sample. Omits samples without such files. */
export type SampleSources = ReadonlyMap<string, SampleSource>;

export interface SampleSource {
  readonly files: readonly BidsSource[];
  /** The entities in which no two of the files differ. */
  readonly common: Fields;
}

/**
 * The samples of a run, by its names and inputs. The inputs themselves decide, not the query that filled them: a user
 * may have changed the sample sheet, and a retry has no query.
 */
export function sampleSources(values: CwlObject, samples: SampleNames, uris: PortableUris): SampleSources {
  const found = new Map<string, BidsSource[]>();
  for (const [input, names] of Object.entries(samples)) {
    const value = values[input];
    const elements: readonly (CwlValue | undefined)[] = Array.isArray(value) ? value : [value];
    for (const [index, name] of names.entries()) {
      const sources = primaryFiles(elements[index]).flatMap((location) => bidsSource(uris.toPortable(location)) ?? []);
      if (sources.length > 0) found.set(name, [...(found.get(name) ?? []), ...sources]);
    }
  }
  return new Map([...found].map(([name, files]) => [name, { files, common: commonFields(files) }]));
}

/** Locations of a file, or of a list of files. */
function primaryFiles(value: CwlValue | undefined): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(primaryFiles);
  return isFileOrDirectory(value) && value.location !== undefined ? [value.location] : [];
}
