import type { MessagePort } from "node:worker_threads";
import type { RunComparison, Tolerance } from "@weft/shared/records/comparison-record.ts";
import type { RunLineage } from "@weft/shared/records/lineage-record.ts";
import type { ProblemCode } from "@weft/shared/records/refusal.ts";
import type { InsightAnswers, InsightTask } from "../../insight/insight-tasks.ts";
import type { Caller, HashedText, ValuePlaces } from "../../port/engine.ts";
import type { DeclaredOutput } from "../../present/lay-out-run.ts";
import type { ResultPage, WantedRows } from "../../present/result-rows.ts";
import type { TableTask } from "../../table/sample-tables.ts";
import type { ServerFolders } from "../../access/open-server-files.ts";

/** Arguments of the thread for reading the log and the files of runs. */
export interface ProvenanceThreadData {
  /** Absolute path of the log. */
  readonly database: string;
  readonly folders: ServerFolders;
}

/** Names of the documents that consist of one text each. */
export type ProvenanceText = "prov-json" | "crate-metadata";

/** A record of a run without its large values, and where they belong in it. */
export interface FillTask {
  readonly runId: string;
  readonly record: object;
  readonly places: ValuePlaces;
}

/** A page of the outputs of a run as rows. */
export interface ResultsTask {
  readonly runId: string;
  readonly declared: readonly DeclaredOutput[];
  readonly page: WantedRows;
}

/** A run with what was before and after it. */
export interface LineageTask {
  readonly runId: string;
  readonly depth: number;
  readonly sample: string | undefined;
}

export type ProvenanceTask =
  | InsightTask
  | ({ readonly kind: "filled" } & FillTask)
  | ({ readonly kind: "results" } & ResultsTask)
  | ({ readonly kind: "table" } & TableTask)
  | ({ readonly kind: "lineage" } & LineageTask)
  | { readonly kind: ProvenanceText | "crate"; readonly runId: string }
  | { readonly kind: "comparison"; readonly runIds: readonly [string, string]; readonly tolerance: Tolerance };

/** A request to the thread. The port belongs to this request; closing it on either side ends the request. */
export interface ProvenanceRequest {
  readonly task: ProvenanceTask;
  readonly caller: Pick<Caller, "principal" | "othersRuns"> & { readonly base: string };
  readonly port: MessagePort;
}

/**
 * The response to a task. After `ready`, each message that arrives at the port requests one more block of the archive.
 */
export type ProvenanceAnswer =
  | HashedText<Uint8Array<ArrayBuffer>>
  | { readonly comparison: RunComparison }
  | { readonly results: ResultPage }
  | { readonly lineage: RunLineage }
  | { readonly insight: InsightAnswers[InsightTask["kind"]] }
  | { readonly ready: true }
  | ProvenanceFailure;

export type ArchiveBlock = { readonly block: Uint8Array<ArrayBuffer> | undefined } | ProvenanceFailure;

/** `code` is that of a refusal; undefined: an internal error. */
export interface ProvenanceFailure {
  readonly failure: { readonly code: ProblemCode | undefined; readonly message: string };
}
