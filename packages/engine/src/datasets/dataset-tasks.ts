import type { DatasetQuery, QueryResult } from "@weft/shared/records/dataset-record.ts";
import type { Caller } from "../port/caller.ts";
import type { Reading } from "../read/reading.ts";
import { DatasetReader, type DatasetFolder, type FileSearch } from "./dataset-reader.ts";
import { listDatasets } from "./list-datasets.ts";

/** A result as JSON, in parts that take little time to parse. */
export interface ResultParts {
  /** The result without samples. */
  readonly rest: Uint8Array<ArrayBuffer>;
  /** Lists of samples. */
  readonly samples: readonly Uint8Array<ArrayBuffer>[];
}

const SAMPLES_PER_PART = 500;

export function datasetTasks({ roots, access }: Reading) {
  return (caller: Caller) => {
    const reach = () => access.ofCaller(caller).reach;
    const reader = () => new DatasetReader(roots, reach());
    return {
      datasets: () => listDatasets(roots, reach()),
      dataset: (folder: DatasetFolder) => reader().detail(folder),
      datasetFiles: (search: FileSearch) => reader().files(search),
      datasetQuery: async (query: DatasetQuery): Promise<ResultParts> => partsOf(await reader().query(query)),
    };
  };
}

function partsOf({ samples, ...rest }: QueryResult): ResultParts {
  const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const count = Math.ceil(samples.length / SAMPLES_PER_PART);
  return {
    rest: bytesOf(rest),
    samples: Array.from({ length: count }, (_, part) =>
      bytesOf(samples.slice(part * SAMPLES_PER_PART, (part + 1) * SAMPLES_PER_PART)),
    ),
  };
}
