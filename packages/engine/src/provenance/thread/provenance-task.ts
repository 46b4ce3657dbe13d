import type { MessagePort } from "node:worker_threads";
import type { RunComparison, Tolerance } from "@weft/shared/records/comparison-record.ts";
import type { ProblemCode } from "@weft/shared/records/refusal.ts";
import type { Caller, HashedText, ValuePlaces } from "../../port/engine.ts";
import type { ServerFolders } from "../../access/open-server-files.ts";

/** What the thread needs to read the log and the files of runs. */
export interface ProvenanceThreadData {
  /** Absolute path of the log. */
  readonly database: string;
  readonly folders: ServerFolders;
}

/** Names of the documents that are one text each. */
export type ProvenanceText = "prov-json" | "prov-n" | "crate-metadata";

/** A record of a run without its large values, and where they belong in it. */
export interface FillTask {
  readonly runId: string;
  readonly record: object;
  readonly places: ValuePlaces;
}

export type ProvenanceTask =
  | ({ readonly kind: "filled" } & FillTask)
  | { readonly kind: ProvenanceText | "crate"; readonly runId: string }
  | { readonly kind: "comparison"; readonly runIds: readonly [string, string]; readonly tolerance: Tolerance };

/** A request to the thread. The port belongs to this request; whoever closes it ends it. */
export interface ProvenanceRequest {
  readonly task: ProvenanceTask;
  readonly caller: Pick<Caller, "principal" | "othersRuns"> & { readonly base: string };
  readonly port: MessagePort;
}

/** The answer to a task. After `ready`, each message that arrives at the port asks for one more block of the archive. */
export type ProvenanceAnswer =
  | HashedText<Uint8Array<ArrayBuffer>>
  | { readonly comparison: RunComparison }
  | { readonly ready: true }
  | ProvenanceFailure;

export type ArchiveBlock = { readonly block: Uint8Array<ArrayBuffer> | undefined } | ProvenanceFailure;

/** `code` is that of a refusal; undefined: something broke. */
export interface ProvenanceFailure {
  readonly failure: { readonly code: ProblemCode | undefined; readonly message: string };
}
