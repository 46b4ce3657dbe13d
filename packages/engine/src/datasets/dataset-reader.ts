import { decoded } from "@weft/shared/text/decode-escapes.ts";
import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { join } from "node:path";
import { describeDataset } from "@weft/shared/dataset/describe-dataset.ts";
import { readPattern, type FilePattern } from "@weft/shared/dataset/file-pattern.ts";
import { indexDataset, type DatasetIndex } from "@weft/shared/dataset/index-dataset.ts";
import { queryDataset, type FileStamp } from "@weft/shared/dataset/query-dataset.ts";
import type { QueryFault } from "@weft/shared/dataset/query-plan.ts";
import type { DatasetDetail, DatasetFilePage, DatasetQuery, QueryResult } from "@weft/shared/records/dataset-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { AllowedRoots } from "../access/allowed-roots.ts";
import { isBelow } from "../files/is-below.ts";
import { OutOfReach } from "../files/beneath/out-of-reach.ts";
import { readSmallText } from "../files/beneath/read-small-text.ts";
import type { Reach } from "../files/beneath/reach.ts";
import { runNear, runNow } from "../files/beneath/steps.ts";
import { codeOf } from "../files/beneath/system-calls.ts";
import { dataNames, hasDescription, unlessUnreadable } from "./list-datasets.ts";
import { MAX_ENTRIES, readFolder, TooManyEntries } from "./read-folder.ts";

const MAX_SIDECAR_BYTES = 1024 ** 2;
const MAX_KEPT_SIDECARS = 20_000;

/** The default pattern, for a folder without one. */
const ALL_FILES = "**/{file}";

interface Opened {
  readonly index: DatasetIndex;
  readonly path: string;
}

export interface DatasetFolder {
  readonly location: string;
  readonly pattern?: string | undefined;
}

export interface FileSearch {
  readonly folder: DatasetFolder;
  readonly from: number;
  readonly size: number;
  readonly q: string;
}

/** Reads datasets for one caller; blocks, so it belongs in a thread. */
export class DatasetReader {
  readonly #roots: AllowedRoots;
  readonly #reach: Reach;

  constructor(roots: AllowedRoots, reach: Reach) {
    this.#roots = roots;
    this.#reach = reach;
  }

  async detail(folder: DatasetFolder): Promise<DatasetDetail> {
    const { index } = await this.#openAny(folder);
    return describeDataset(index, { location: folder.location, name: nameOf(folder.location) });
  }

  async files({ folder, from, size, q }: FileSearch): Promise<DatasetFilePage> {
    const { index } = await this.#openAny(folder);
    const part = q.toLowerCase();
    const files = index.files.filter(({ path }) => path.toLowerCase().includes(part));
    return {
      files: files.slice(from, from + size).map(({ path, fields }) => ({ path, fields: { ...fields } })),
      from,
      total: files.length,
    };
  }

  async query(query: DatasetQuery): Promise<QueryResult> {
    const { index, path } = await this.#open(query);
    const readJson = this.#jsonReader(path);
    const result = queryDataset(index, query, { readJson, stampOf: (file) => this.#stampOf(join(path, file)) });
    if ("faults" in result) throw invalidQuery(result.faults);
    return result;
  }

  /** Without a pattern, a folder that is not BIDS contains all its files. */
  async #openAny({ location, pattern }: DatasetFolder): Promise<Opened> {
    const path = await this.#pathOf(location);
    const isBids = pattern === undefined && (await runNear(hasDescription(this.#reach, path)));
    return this.#open({ location, pattern: isBids ? undefined : (pattern ?? ALL_FILES) });
  }

  async #open({ location, pattern }: DatasetFolder): Promise<Opened> {
    const path = await this.#pathOf(location);
    const read = pattern === undefined ? undefined : patternOf(pattern);
    if (read === undefined && !(await runNear(hasDescription(this.#reach, path)))) throw needsPattern(location);
    try {
      const source = runNow(readFolder(path, this.#reach, read === undefined ? "bids" : "files"));
      return { index: indexDataset(source, read), path };
    } catch (error) {
      if (error instanceof TooManyEntries)
        throw new Refusal(
          "invalid-parameters",
          `${location} has more than ${MAX_ENTRIES} entries. Choose a folder in it.`,
        );
      if (error instanceof OutOfReach || ["ENOENT", "ENOTDIR", "EACCES"].includes(codeOf(error)))
        throw noDataset(location);
      throw error;
    }
  }

  /** Resolves a location; only data folders and the catalog contain datasets. */
  async #pathOf(location: string): Promise<string> {
    const found = await this.#roots.resolve(location, (path) => runNear(this.#reach.realPath(path)));
    if (found.kind !== "found") throw noDataset(location);
    const { realPath } = found;
    const isData = dataNames(this.#roots).some((name) => {
      const folder = this.#roots.folder(name);
      return folder !== undefined && (isBelow(found.path, folder) || isBelow(realPath, folder));
    });
    if (!isData) throw noDataset(location);
    return realPath;
  }

  #stampOf(path: string): FileStamp | undefined {
    const stats = runNow(unlessUnreadable(this.#reach.stat(path)));
    return stats && { bytes: stats.isFile() ? stats.size : 0, modifiedMs: stats.mtimeMs };
  }

  #jsonReader(folder: string): (path: string) => unknown {
    const kept = new Map<string, unknown>();
    return (path) => {
      if (kept.has(path)) return kept.get(path);
      const value = parse(runNow(readSmallText(this.#reach, join(folder, path), MAX_SIDECAR_BYTES)));
      if (kept.size < MAX_KEPT_SIDECARS) kept.set(path, value);
      return value;
    };
  }
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : parseExactJson(text);
  } catch {
    return undefined;
  }
}

function needsPattern(location: string): Refusal {
  const detail = "a folder that is not a BIDS dataset needs a pattern";
  return new Refusal("invalid-parameters", `${location} is not a BIDS dataset: it has no dataset_description.json.`, {
    errors: [{ parameter: "pattern", code: "required", detail }],
  });
}

function patternOf(text: string): FilePattern {
  const read = readPattern(text);
  if (typeof read !== "string") return read;
  throw new Refusal("invalid-parameters", `The pattern ${read}.`, {
    errors: [{ parameter: "pattern", pointer: "/pattern", code: "invalid-pattern", detail: `the pattern ${read}` }],
  });
}

function invalidQuery(faults: readonly QueryFault[]): Refusal {
  const errors = faults.slice(0, 100).map(({ pointer, detail }) => ({ pointer, code: "invalid-query", detail }));
  return new Refusal("invalid-body", `The query does not fit the dataset: ${faults[0]?.detail ?? ""}.`, { errors });
}

function noDataset(location: string): Refusal {
  return new Refusal("file-not-found", `There is no data folder at ${location}.`);
}

function nameOf(location: string): string {
  return decoded(location.replace(/^weft-data:\/\//, "").replace(/\/$/, ""));
}
