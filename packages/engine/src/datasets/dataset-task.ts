import type { DatasetDetail, DatasetFilePage, DatasetList, DatasetQuery } from "@weft/shared/records/dataset-record.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import type { ProblemCode } from "@weft/shared/records/refusal.ts";
import type { ServerFolders } from "../access/open-server-files.ts";
import type { Caller } from "../port/engine.ts";

/** Arguments of the thread for reading data folders for a caller. */
export interface DatasetThreadData {
  /** Absolute path of the log. */
  readonly database: string;
  readonly folders: ServerFolders;
}

export interface DatasetFolder {
  readonly location: string;
  readonly pattern?: string | undefined;
}

export type DatasetTask =
  | { readonly kind: "list" }
  | { readonly kind: "detail"; readonly folder: DatasetFolder }
  | {
      readonly kind: "files";
      readonly folder: DatasetFolder;
      readonly from: number;
      readonly size: number;
      readonly q: string;
    }
  | { readonly kind: "query"; readonly query: DatasetQuery };

export interface DatasetRequest {
  readonly id: number;
  readonly task: DatasetTask;
  readonly caller: Pick<Caller, "principal" | "othersRuns"> & { readonly base: string };
}

/** A result as JSON, in parts that take little time to parse. */
export interface ResultParts {
  /** The result without samples. */
  readonly rest: Uint8Array<ArrayBuffer>;
  /** Lists of samples. */
  readonly samples: readonly Uint8Array<ArrayBuffer>[];
}

export interface DatasetAnswers {
  readonly list: DatasetList;
  readonly detail: DatasetDetail;
  readonly files: DatasetFilePage;
  readonly query: ResultParts;
}

export interface DatasetFailure {
  /** Undefined: a bug, or a broken disk. */
  readonly code: ProblemCode | undefined;
  readonly message: string;
  readonly errors: readonly ProblemError[];
}

export type DatasetAnswer =
  | { readonly id: number; readonly answer: DatasetAnswers[DatasetTask["kind"]] }
  | { readonly id: number; readonly failure: DatasetFailure };
