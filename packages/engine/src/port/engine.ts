import type { ServableFile } from "../files/servable-file.ts";
import type { StorageTrouble } from "../journal/storage/storage-trouble.ts";
import type { Readable } from "node:stream";
import type { Links } from "@weft/shared/links.ts";
import type { WeftEvent } from "@weft/shared/events/event.ts";
import type { Job, JobList } from "@weft/shared/records/job-record.ts";
import type { Reproduce, RunComparison, Tolerance } from "@weft/shared/records/comparison-record.ts";
import type { RunLineage, ServerInfo } from "@weft/shared/records/lineage-record.ts";
import type { Network, Tool, UploadedFile } from "@weft/shared/records/process-record.ts";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import type { CreateRun, RetryRun, Run, RunList, RunStatus } from "@weft/shared/records/run-record.ts";
import type { Prune, PruneReport } from "@weft/shared/records/storage-record.ts";
import type { RouteQuery, RouteResult } from "@weft/shared/routes/routes.ts";

/** Who asks, and below which address the links of the answer stand. */
export interface Caller {
  /** Recorded as owner and actor. */
  readonly principal: string;
  readonly links: Links;
  /** The caller's access to other people's runs: `hidden` runs do not exist for them, `visible` runs are read-only. */
  readonly othersRuns: "hidden" | "visible" | "changeable";
}

/**
 * The engine as the API and the command line see it. Every method refuses by throwing a Refusal (shared) and answers
 * with records of the contract; nothing here knows HTTP. Every method that reads or changes anything takes the caller
 * first, and `access/visible-runs.ts` alone decides what this caller sees (ADR 0051).
 */
export interface Engine {
  readonly catalog: EngineCatalog;
  readonly runs: EngineRuns;
  readonly provenance: EngineProvenance;
  readonly files: EngineFiles;
  readonly archives: EngineArchives;
  readonly events: EngineEvents;
  readonly storage: EngineStorage;
  serverInfo(caller: Caller): Promise<ServerInfo>;
  /** `drain`: takes no new run, resolves when the running ones have ended. `cancel`: aborts them. Idempotent. */
  stop(mode: "drain" | "cancel" | "detach"): Promise<void>;
  readonly draining: boolean;
  /** Why nothing can be written at present. */
  readonly trouble: StorageTrouble | undefined;
  /** Resolves with the database's own words when nothing can be written any more: the engine only reads from then on. */
  readonly failed: Promise<string>;
}

export interface EngineCatalog {
  listNetworks(caller: Caller, query: RouteQuery<"GET /api/networks">): RouteResult<"GET /api/networks">;
  getNetwork(caller: Caller, id: string, version: string | undefined): Network;
  listTools(caller: Caller, query: RouteQuery<"GET /api/tools">): RouteResult<"GET /api/tools">;
  getTool(caller: Caller, id: string, version: string | undefined): Tool;
  /** The packed CWL document as JSON text, and its digest. */
  packed(
    caller: Caller,
    entry: { readonly kind: "network" | "tool"; readonly id: string; readonly version: string | undefined },
  ): { readonly text: string; readonly digest: string };
}

export interface CreateRunRequest {
  readonly body: CreateRun;
  /** For 24 h the same key with the same body gives the run that exists; with another body it is refused. */
  readonly idempotencyKey: string | undefined;
  /** What equal requests have in common, where that is not the body: uploads have other locations each time. */
  readonly fingerprint?: unknown;
}

export interface RetryRunRequest {
  readonly body: RetryRun;
  readonly idempotencyKey: string | undefined;
}

export interface EngineRuns {
  /** Durable when it resolves; execution has been started. */
  create(caller: Caller, request: CreateRunRequest): Promise<{ readonly run: Run; readonly replayed: boolean }>;
  plan(caller: Caller, body: CreateRun): Promise<Plan>;
  /** A new run of what an earlier one ran, with the changes of the body; refuses `conflict` while that one is open. */
  retry(
    caller: Caller,
    runId: string,
    request: RetryRunRequest,
  ): Promise<{ readonly run: Run; readonly replayed: boolean }>;
  planRetry(caller: Caller, runId: string, body: RetryRun): Promise<Plan>;
  /** A new run of what the log says that a run was; when it has ended, it is compared with that one. */
  reproduce(caller: Caller, runId: string, request: Reproduce): Promise<Run>;
  list(caller: Caller, query: RouteQuery<"GET /api/runs">): RunList;
  /** Without values that are large. */
  get(caller: Caller, runId: string): Run;
  /** The JSON of `record` with the values that `get` leaves out, each at its place in it. A thread builds it. */
  filled(caller: Caller, runId: string, record: object, places: ValuePlaces): Promise<HashedText>;
  status(caller: Caller, runId: string): RunStatus;
  /** Resolves when the run's revision differs from `revision`, or after `timeoutMs`, or when `signal` aborts. */
  waitForChange(
    caller: Caller,
    runId: string,
    wait: { readonly revision: number; readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<void>;
  /** Resolves when the run is final, or after `timeoutMs`; the status tells which. */
  abort(caller: Caller, runId: string, timeoutMs: number): Promise<RunStatus>;
  /** No job of the run starts from now on, those that run go on; survives a restart. Refuses a run that has ended or is being aborted. */
  pause(caller: Caller, runId: string): Promise<RunStatus>;
  resume(caller: Caller, runId: string): Promise<RunStatus>;
  jobs(caller: Caller, runId: string, query: RouteQuery<"GET /api/runs/{run_id}/jobs">): JobList;
  job(caller: Caller, runId: string, jobId: string): Job;
  /** For a run that failed or was aborted: what its jobs have produced, and what is missing. */
  outputs(caller: Caller, runId: string): Promise<RouteResult<"GET /api/runs/{run_id}/outputs">>;
  /** The JSON of `outputs` where they are so large that a thread builds it; undefined where they are not. */
  largeOutputs(caller: Caller, runId: string): Promise<HashedText | undefined>;
  findFiles(caller: Caller, query: RouteQuery<"GET /api/provenance/files">): RouteResult<"GET /api/provenance/files">;
}

/** Keys that lead from a record to where a value of the run belongs. */
export type ValuePlaces = { readonly [Value in "inputs" | "outputs" | "placed"]?: readonly string[] };

/** A document as UTF-8, with its SHA-256 in base64url. */
export interface HashedText<Bytes = Buffer> {
  readonly bytes: Bytes;
  readonly sha256: string;
}

/** A zip as it arrives, or an unpacked crate on this machine (absolute path). */
export type CrateToImport =
  | { readonly kind: "zip"; readonly content: Readable }
  | { readonly kind: "folder"; readonly path: string };

export interface EngineProvenance {
  /** What a run did, as W3C PROV-JSON. */
  provJson(caller: Caller, runId: string): Promise<HashedText>;
  /** What a run did, as W3C PROV-N, a notation for people. */
  provN(caller: Caller, runId: string): Promise<HashedText>;
  /** The `ro-crate-metadata.json` of a run that has ended. Refuses `conflict` before. */
  crateMetadata(caller: Caller, runId: string): Promise<HashedText>;
  /** The whole crate as a zip that is made while it is sent; `open` at most once. Refuses `conflict` as well. */
  crateArchive(caller: Caller, runId: string): Promise<ServableArchive>;
  /** The steps of a run with what passes between them, and the runs before and after it. */
  lineage(caller: Caller, runId: string, depth: number): RunLineage;
  /**
   * Takes in a crate that a Weft has made, as a run of this server that was made elsewhere. Refuses `invalid-crate` what was
   * changed since or does not fit together, `conflict` a run that is here already, `body-too-large`.
   */
  importCrate(caller: Caller, crate: CrateToImport): Promise<Run>;
  /** Whether the second run gave what the first did. Refuses `conflict` before both have ended. */
  compare(caller: Caller, runIds: readonly [string, string], tolerance: Tolerance): Promise<RunComparison>;
}

/** The content of one of a job's streams. */
export interface JobLog {
  readonly runId: string;
  readonly jobId: string;
  readonly stream: "stdout" | "stderr";
}

export interface ServableLog extends ServableFile {
  /** True while the job may still write to it. */
  readonly isGrowing: boolean;
}

export interface EngineFiles {
  /** A file of a run, by the path in its File locations. Refuses `file-not-found`. */
  runFile(caller: Caller, runId: string, path: string): Promise<ServableFile>;
  jobLog(caller: Caller, log: JobLog): Promise<ServableLog>;
  /** A caller from whom runs of others are hidden does not see what others have uploaded. */
  browse(caller: Caller, query: RouteQuery<"GET /api/files">): Promise<RouteResult<"GET /api/files">>;
  /** Streams into the state folder, hashing on the way; refuses `body-too-large` and leaves nothing behind then. */
  upload(caller: Caller, name: string, content: Readable): Promise<UploadedFile>;
}

/** A zip that is made while it is sent. */
export interface ServableArchive {
  readonly name: string;
  /** Ends with an error where a file can no longer be read. */
  readonly open: () => Readable;
  /** Releases what was prepared, where nobody opens the archive. */
  readonly discard?: () => void;
}

export interface WantedBundle {
  readonly runId: string;
  readonly jobId: string;
  /** False: contains nothing of the data, so that it can be sent to a stranger. */
  readonly withData: boolean;
}

export interface EngineArchives {
  /** Refuses `file-not-found` where the run has no outputs. */
  outputs(caller: Caller, runId: string): Promise<ServableArchive>;
  /** What is needed to repeat a job; without data nothing that would be private. */
  job(caller: Caller, wanted: WantedBundle): Promise<ServableArchive>;
}

export interface EngineStorage {
  /** Resolves when all is removed that can be; with `isDryRun` nothing is. Refuses what must not be removed. */
  prune(caller: Caller, body: Prune, isDryRun: boolean): Promise<PruneReport>;
}

export interface EventPage {
  readonly events: readonly WeftEvent[];
  readonly last_seq: number;
  /** All events up to this number have been looked at: a page may be empty and others come behind it (`next_page_token`). */
  readonly read_to: number;
  readonly next_page_token: string;
}

export interface EngineEvents {
  /** Number of the newest event, whoever may see it. */
  readonly lastSeq: number;
  /** Events of the runs that the caller may see, and events of no run. Refuses `run-not-found` for a `runId` that they may not see. */
  page(
    caller: Caller,
    query: {
      readonly runId?: string | undefined;
      readonly since?: number | undefined;
      readonly pageSize?: number | undefined;
      readonly pageToken?: string | undefined;
    },
  ): EventPage;
  /**
   * Calls `listener` with every batch appended from now on, in order, after it is durable; a batch returns events only for
   * a caller. Returns the function that unsubscribes.
   */
  subscribe(listener: (batch: EventBatch) => void): () => void;
}

/** Appended events, filtered for each caller. */
export interface EventBatch {
  /** Events of the runs that the caller may see, and events of no run. Callers with equal rights get the same array. */
  visibleTo(caller: Caller): readonly WeftEvent[];
}
