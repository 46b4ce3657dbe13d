import type { ServableFile } from "../files/servable-file.ts";
import type { StorageProblem } from "../journal/storage/storage-problem.ts";
import type { Readable } from "node:stream";
import type { EventData, WeftEvent } from "@weft/shared/events/event.ts";
import type { PublishDraft, PublishedVersion } from "@weft/shared/records/draft-record.ts";
import type { DraftGroup, PublishedGroup, PublishGroup } from "@weft/shared/records/draft-group-record.ts";
import type {
  DatasetOfRequest,
  DatasetQuery,
  QueryResult,
  SavedDatasetQuery,
} from "@weft/shared/records/dataset-record.ts";
import type { Job, JobSummary } from "@weft/shared/records/job-record.ts";
import type { Reproduce, RunComparison, Tolerance } from "@weft/shared/records/comparison-record.ts";
import type { ServerStatus } from "@weft/shared/records/lineage-record.ts";
import type { Network, NetworkSummary, Tool, ToolSummary, UploadedFile } from "@weft/shared/records/process-record.ts";
import type { Plan } from "@weft/shared/records/plan-record.ts";
import type { WesRequest } from "@weft/shared/records/wes-record.ts";
import type { CreateRun, RetryRun, Run, RunList, RunStatus } from "@weft/shared/records/run-record.ts";
import type { RouteQuery } from "@weft/shared/routes/routes.ts";
import type { Caller } from "./caller.ts";
import type { HashedText, RouteMethods, ServableArchive } from "./route-methods.ts";

/** Acts by itself once it has begun, and records its actions. */
export interface Agent {
  begin(): void;
  close(): Promise<void>;
}

/**
 * The engine as the API and the command line see it. Methods throw a Refusal (shared) or return records of the
 * contract; nothing here knows HTTP. Every method that reads or changes anything takes the caller first, and only
 * `access/visible-runs.ts` decides what that caller sees (ADR 51).
 */
export interface Engine {
  readonly methods: RouteMethods;
  readonly catalog: EngineCatalog;
  readonly drafts: EngineDrafts;
  readonly runs: EngineRuns;
  readonly provenance: EngineProvenance;
  readonly files: EngineFiles;
  readonly events: EngineEvents;
  readonly wesDocuments: EngineWesDocuments;
  serverInfo(caller: Caller): Promise<ServerStatus>;
  /** `drain`: accepts no new run, and resolves when the running ones have ended. `cancel`: aborts them. Idempotent. */
  stop(mode: "drain" | "cancel" | "detach"): Promise<void>;
  readonly draining: boolean;
  /** Why nothing can be written at the moment. */
  readonly storageProblem: StorageProblem | undefined;
  /** Resolves with the database's message when nothing can be written any more; from then on, the engine only reads. */
  readonly failed: Promise<string>;
}

/** A file that others need to run an entry of the catalog. */
export interface PublishedFile {
  /** Relative to the document, which is the `primary` file; with `/` between folders. */
  readonly path: string;
  readonly kind: "primary" | "helper" | "example";
  readonly read: () => Promise<Buffer>;
}

export interface CatalogName {
  readonly kind: "network" | "tool";
  readonly id: string;
  readonly version: string | undefined;
}

/** The newest version of a network or tool, as far as searches need it. */
export interface CatalogIndexEntry {
  readonly kind: "network" | "tool";
  readonly id: string;
  readonly label: string | undefined;
  readonly doc: string | undefined;
}

export interface EngineCatalog {
  /** Every network, then every tool, each by ID. Does not read the log. */
  index(caller: Caller): readonly CatalogIndexEntry[];
  /** An entry of the index, as lists show it. */
  summary(caller: Caller, entry: Pick<CatalogIndexEntry, "kind" | "id">): NetworkSummary | ToolSummary;
  getNetwork(caller: Caller, id: string, version: string | undefined): Network;
  getTool(caller: Caller, id: string, version: string | undefined): Tool;
  /** The packed CWL document as JSON text, and its digest. */
  packed(caller: Caller, entry: CatalogName): { readonly text: string; readonly digest: string };
  /** The packed document first, then the files of the catalog that it refers to, then the examples. */
  published(caller: Caller, entry: CatalogName): Promise<readonly PublishedFile[]>;
  /** A zip of the published files. */
  publishedArchive(caller: Caller, entry: CatalogName): Promise<ServableArchive>;
}

/** The body of a run whose process is known. */
export type DraftRunBody = Omit<CreateRun, "network" | "tool" | "version">;

/**
 * Requests about drafts that need special HTTP handling. Refuses `not-found` for an unknown draft, and
 * `precondition-failed` for a request that names a revision other than the current one.
 */
export interface EngineDrafts {
  run(
    caller: Caller,
    draftId: string,
    request: {
      readonly body: DraftRunBody;
      readonly idempotencyKey: string | undefined;
      readonly revision?: number | undefined;
    },
  ): Promise<{ readonly run: Run; readonly replayed: boolean }>;
  /**
   * Adds a version to the catalog folder and removes the draft. Refuses `conflict` while a test has not passed with this
   * revision, unless `anyway` is set.
   */
  publish(
    caller: Caller,
    draftId: string,
    request: PublishDraft & { readonly revision: number },
  ): Promise<PublishedVersion>;
  /** Creates drafts of the tools and networks in a zip. Refuses hostile zips. */
  importZip(
    caller: Caller,
    zip: { readonly content: Readable; readonly title: string; readonly collisions: "new-version" | "new-id" },
  ): Promise<DraftGroup>;
  /** Publishes all of the drafts of a group or none. */
  publishGroup(caller: Caller, groupId: string, body: PublishGroup): Promise<PublishedGroup>;
}

/** A query, with its result. */
export interface AskedQuery {
  readonly query: DatasetQuery;
  readonly saved: Pick<SavedDatasetQuery, "query_id" | "name"> | undefined;
  readonly result: QueryResult;
}

/** Samples for runs. Refuses `file-not-found`, `not-found` for an unknown saved query, and queries that do not fit. */
export type FindSamples = (caller: Caller, request: DatasetOfRequest) => Promise<AskedQuery>;

export interface CreateRunRequest {
  readonly body: CreateRun;
  /** For 24 h, the same key with the same body returns the existing run; the same key with another body is refused. */
  readonly idempotencyKey: string | undefined;
  /** Recognizes equal requests instead of the body: an upload has a new location each time. */
  readonly fingerprint?: unknown;
  /** Recorded with the run. */
  readonly wes?: WesRequest | undefined;
  /** Key that the log accepts once for an automation. Refuses `conflict` for a key that has started a run already. */
  readonly automation?: EventData<"run.created">["automation"];
  /** The query that gave the inputs, with its result. Absent: `dataset` of the body. */
  readonly dataset?: AskedQuery | undefined;
  /** Digest of a WES document, which runs instead of a process of the catalog. */
  readonly document?: string | undefined;
}

/** An entry of a list, with fields that usually only a single job has. */
export type ListedJob = JobSummary & Pick<Job, "command" | "stderr_tail">;

export interface RetryRunRequest {
  readonly body: RetryRun;
  readonly idempotencyKey: string | undefined;
}

type JobTableQuery = RouteQuery<"GET /api/runs/{run_id}/jobs">;

export interface EngineRuns {
  /** Resolves when the run is durable and has started. */
  create(caller: Caller, request: CreateRunRequest): Promise<{ readonly run: Run; readonly replayed: boolean }>;
  plan(caller: Caller, body: CreateRun): Promise<Plan>;
  /** Starts a new run from an earlier one, with the changes of the body. Refuses `conflict` while that one is open. */
  retry(
    caller: Caller,
    runId: string,
    request: RetryRunRequest,
  ): Promise<{ readonly run: Run; readonly replayed: boolean }>;
  planRetry(caller: Caller, runId: string, body: RetryRun): Promise<Plan>;
  /**
   * Starts a new run from the recorded document and inputs of an earlier run, and compares the two when it has ended.
   */
  reproduce(caller: Caller, runId: string, request: Reproduce): Promise<Run>;
  list(caller: Caller, query: RouteQuery<"GET /api/runs">): RunList;
  /** Leaves out large values. */
  get(caller: Caller, runId: string): Run;
  /** The JSON of `record`, including the values that `get` leaves out. Built in a thread. */
  filled(caller: Caller, runId: string, record: object, places: ValuePlaces): Promise<HashedText>;
  status(caller: Caller, runId: string): RunStatus;
  /** Resolves when the run's revision differs from `revision`, or after `timeoutMs`, or when `signal` aborts. */
  waitForChange(
    caller: Caller,
    runId: string,
    wait: { readonly revision: number; readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<void>;
  /** Resolves when the run is final, or after `timeoutMs`; the status shows which. */
  abort(caller: Caller, runId: string, timeoutMs: number): Promise<RunStatus>;
  /** The jobs in queue order, with the filters that indexes of the log support. */
  jobs(
    caller: Caller,
    runId: string,
    query: Pick<JobTableQuery, "state" | "sample" | "page_size" | "page_token">,
  ): { readonly jobs: ListedJob[]; readonly total: number | null; readonly next_page_token: string };
  job(caller: Caller, runId: string, jobId: string): Job;
  /** Names by ID, of those runs that exist and that the caller may see. */
  names(caller: Caller, runIds: readonly string[]): Readonly<Record<string, string>>;
}

/** Keys that lead from a record to a value of a run. */
export type ValuePlaces = { readonly [Value in "inputs" | "outputs" | "placed"]?: readonly string[] };

/** A zip as a stream, or an unpacked crate on this machine (absolute path). */
export type CrateToImport =
  | { readonly kind: "zip"; readonly content: Readable }
  | { readonly kind: "folder"; readonly path: string };

export interface EngineProvenance {
  /**
   * Imports a crate made by another Weft server as a run of this server. Refuses `invalid-crate` for a modified or
   * inconsistent crate, `conflict` for a run that exists here, and `body-too-large`.
   */
  importCrate(caller: Caller, crate: CrateToImport): Promise<Run>;
  /** Whether the second run produced the same results as the first. Refuses `conflict` before both have ended. */
  compare(caller: Caller, runIds: readonly [string, string], tolerance: Tolerance): Promise<RunComparison>;
}

/** The content of one of a job's output streams. */
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
  /** Streams into the state folder and hashes on the way. Refuses `body-too-large` and then leaves nothing behind. */
  upload(caller: Caller, name: string, content: Readable): Promise<UploadedFile>;
}

/** A document from outside the catalog. */
export interface ArrivedDocument {
  /** Locations of uploads by the names that the sender gave them. */
  readonly files: ReadonlyMap<string, string>;
  /** One of these names, with `#id` for a part of a `$graph`. */
  readonly primary: string;
  /** The name that the sender gave the document. */
  readonly source: string;
}

/** Documents that arrived through WES. Refuses `document-not-found`. */
export interface EngineWesDocuments {
  /** Whether documents may arrive at all. */
  readonly isOn: boolean;
  /** Stores a document under the digest of its files. Refuses one with errors, and one that the caller may not run. */
  add(caller: Caller, document: ArrivedDocument): Promise<{ readonly digest: string; readonly isNew: boolean }>;
  /**
   * Fetches the document at a URL, or at the TRS address of a version with its helper files, as uploads. Undefined for
   * texts that are no such address. Refuses hosts that are not on the allow list.
   */
  fetch(caller: Caller, address: string): Promise<Omit<ArrivedDocument, "source"> | undefined>;
}

export interface EventPage {
  readonly events: readonly WeftEvent[];
  readonly last_seq: number;
  /** All events up to this number have been examined: a page may be empty although more follow (`next_page_token`). */
  readonly read_to: number;
  readonly next_page_token: string;
}

export interface EngineEvents {
  /** Sequence number of the newest event, regardless of who may see it. */
  readonly lastSeq: number;
  /**
   * Events of the runs that the caller may see, and events without a run. Refuses `run-not-found` for a `runId` that
   * the caller may not see.
   */
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
   * Calls `listener` with every batch appended from now on, in order, after it is durable; a batch returns events only
   * for a caller. Returns the function that unsubscribes.
   */
  subscribe(listener: (batch: EventBatch) => void): () => void;
}

/** Appended events, filtered for each caller. */
export interface EventBatch {
  /**
   * Events of the runs that the caller may see, and events without a run. Callers with equal rights get the same array.
   */
  visibleTo(caller: Caller): readonly WeftEvent[];
}
