import type { EventType } from "@weft/shared/records/event-record.ts";
import type { Tolerance, Verdict } from "@weft/shared/records/comparison-record.ts";
import type { ContainerPlace, JobContainer } from "@weft/shared/records/container-record.ts";
import type { JobSandbox } from "@weft/shared/records/sandbox-record.ts";
import type { KillEvidence, KillReport } from "@weft/shared/records/kill-record.ts";
import type { RecordedCache, ReusableResult } from "../cache/recorded-cache.ts";
import type { Command, JobTool, ResourcesUsed } from "@weft/shared/records/job-record.ts";
import type { RunOptions } from "@weft/shared/records/run-record.ts";
import type { RunPart } from "@weft/shared/records/run-parts.ts";
import type { JobState, Outcome, RunState, StateReason } from "@weft/shared/records/state.ts";

/** A document or object too large for an event, kept once under the digest of its text (`sha256:…`). */
export interface Blob {
  readonly digest: string;
  readonly text: string;
}

/** One File or Directory read or written, as recorded for lineage. `uri` is portable (see files/portable-uri.ts). */
export interface RecordedFile {
  readonly port: string;
  /** Where it stands in the value of the port: `[2]`, `.reads[0].secondaryFiles[1]`; empty for the value itself. */
  readonly place?: string | undefined;
  /** Absent: `File`. */
  readonly class?: "Directory" | undefined;
  readonly name: string;
  readonly uri: string;
  /** Of an output of the run: where the job that made it had left it. */
  readonly source_uri?: string | undefined;
  /** `sha1$…`, as CWL has it. Of a Directory null: what it holds is recorded file by file. */
  readonly checksum: string | null;
  /** Hexadecimal digits, of the same bytes; absent where they were not read here. */
  readonly sha256?: string | undefined;
  readonly size: number | null;
}

/** How far the download of remote inputs is, while a run or job waits for it. `url` is redacted. */
export interface FetchProgress {
  readonly url: string;
  readonly bytes: number;
  readonly bytes_total: number | null;
  readonly files_done: number;
  readonly files_total: number;
  /** The same for people. */
  readonly reason: StateReason;
}

/** What a remote file was when the run was given it. */
export interface PinnedFile {
  /** Redacted. */
  readonly url: string;
  /** `sha1$…`. */
  readonly checksum: string;
  readonly sha256: string;
  readonly size: number;
}

/** What a run has on disk, in bytes. */
export interface MeasuredBytes {
  readonly outputs_bytes: number;
  readonly intermediate_bytes: number;
  readonly logs_bytes: number;
}

export interface RemovalFailure {
  /** Relative to the folder of the run. */
  readonly path: string;
  readonly message: string;
}

export interface RecordedStep {
  readonly step: string;
  readonly label?: string | undefined;
  readonly jobs_total: number;
  readonly jobs_total_is_final: boolean;
}

/** A run that was made elsewhere. Digests name texts in the log. */
export interface ImportedRun {
  /** Its id where it was made. */
  readonly made_as: string;
  readonly made_by: string;
  /** RFC 3339. */
  readonly made_at: string;
  /** Of the Weft that ran it. */
  readonly engine_version?: string | undefined;
  /** SHA-256 of the crate's metadata, in hexadecimal digits: it stands for the whole crate. */
  readonly crate_sha256: string;
  /** The events as they were chained there, a line each (see provenance/crate/event-lines.ts). */
  readonly events: string;
  /** What is taken from them, a line each, with addresses of this server (see provenance/import/fold-events.ts). */
  readonly folded: string;
  readonly document: string;
  /** What lies here of it. */
  readonly files: readonly RecordedFile[];
}

/** What a job used, as far as it was measured. Absent in logs of earlier servers. */
export interface RecordedUse {
  readonly memory_source?: ResourcesUsed["memory_source"] | undefined;
  readonly io_read_bytes?: number | null | undefined;
  readonly io_write_bytes?: number | null | undefined;
}

/** How processes were ended (see the record KillReport); times in milliseconds since 1970. */
export interface RecordedKill extends Omit<Readonly<KillReport>, "asked_at" | "confirmed_at" | "signals" | "evidence"> {
  readonly asked_ms: number;
  readonly confirmed_ms: number | null;
  readonly signals: readonly KillReport["signals"][number][];
  readonly evidence: readonly KillEvidence[];
}

/**
 * What each type of event carries. Values of CWL stand as blobs: `inputs` and `outputs` name the digest of their JSON
 * text, in which locations are portable.
 */
export interface EventData {
  "run.created": {
    readonly kind: "network" | "tool";
    readonly process_id: string;
    readonly process_version: string | null;
    readonly process_digest: string;
    readonly process_label?: string | undefined;
    readonly name: string;
    readonly tags: Readonly<Record<string, string>>;
    readonly options: RunOptions;
    /** Digest of the packed document that runs, and where it stood (portable URI). */
    readonly document: string;
    readonly document_uri: string;
    readonly inputs: string;
    readonly samples: Readonly<Record<string, readonly string[]>>;
    /** Output → template of its place; absent where outputs stay here. */
    readonly sinks?: Readonly<Record<string, string>> | undefined;
    /** What of other runs and of uploads the inputs lie in (see files/used-items.ts). */
    readonly uses?: readonly string[] | undefined;
    readonly steps: readonly RecordedStep[];
    /** The run that this one is to give again, and how far numbers may be apart. */
    readonly reproduces?: { readonly run_id: string; readonly tolerance: Tolerance } | undefined;
    /** Of the Weft that was asked. */
    readonly engine_version?: string | undefined;
    readonly idempotency?: { readonly key: string; readonly body_digest: string } | undefined;
    /** The run that this one is once more. */
    readonly retry_of?: string | undefined;
  };
  "run.fetching": FetchProgress;
  "run.fetched": { readonly files: readonly PinnedFile[] };
  "run.started": Record<string, never>;
  /** A restarted server resumes the run. `alone`: it watches this one before it resumes others (see run/crash-history.ts). */
  "run.reattached": { readonly alone: boolean };
  "run.steps": { readonly steps: readonly RecordedStep[] };
  "run.inputs": { readonly files: readonly RecordedFile[] };
  /** From now on no job of the run starts. */
  "run.paused": { readonly reason: StateReason };
  "run.resumed": Record<string, never>;
  "run.canceling": { readonly outstanding_jobs: readonly string[] };
  "run.ended": {
    readonly state: RunState;
    readonly outcome: Outcome;
    readonly reason: StateReason | null;
    readonly outputs: string | null;
    readonly files: readonly RecordedFile[];
    /** Of a run whose jobs were ended: all of them together, and what could not be named. */
    readonly kill?: RecordedKill | undefined;
    /** Digest of the list of what was copied to the places of `sinks`; absent where the run has none. */
    readonly placed?: string | undefined;
  };
  /** Of a run that reproduces another: what came of comparing them, after its end. */
  "run.compared": { readonly with: string; readonly verdict: Verdict };
  "run.measured": MeasuredBytes;
  /** A part of the run is about to be removed: from now on nobody may rely on it. Refused while an open run does. */
  "run.pruning": { readonly part: RunPart };
  "run.pruned": {
    readonly part: RunPart;
    /** What became free. */
    readonly bytes: number;
    /** What could not be removed, and why; at most the first few. */
    readonly failures: readonly RemovalFailure[];
    readonly left: MeasuredBytes;
  };
  /** A run of another server, as its crate tells it: what follows from `folded` is projected with the times that stand there. */
  "run.imported": ImportedRun;
  "job.queued": {
    readonly call_id: string;
    readonly n: number;
    readonly scatter_index: readonly number[];
    readonly tool: JobTool;
  };
  /** The job waits for its container image, which is not on this machine yet. */
  "job.image": {
    readonly engine: ContainerPlace;
    readonly image: string;
    /** Absent in older logs. */
    readonly reason?: StateReason;
  };
  "job.fetching": FetchProgress;
  "job.started": {
    readonly attempt: number;
    readonly command: Command | null;
    readonly cores: number;
    readonly ram_bytes: number;
    readonly backend: string;
    readonly inputs: string;
    readonly files: readonly RecordedFile[];
    readonly container?: JobContainer | undefined;
    /** Of a command that this machine runs without a container; absent in older logs. */
    readonly sandbox?: JobSandbox | undefined;
    /** Of a hit: nothing ran, and `job.ended` was appended with this in one transaction. */
    readonly cache?: RecordedCache | undefined;
  };
  "job.running": { readonly native_id: string };
  "job.exited": { readonly exit_code: number | null; readonly signal: number | null };
  /** An attempt has failed and another follows: the job waits again. Nothing that the attempt wrote counts. */
  "job.retrying": {
    readonly attempt: number;
    readonly state: JobState;
    readonly reason: StateReason;
    readonly exit_code: number | null;
    readonly signal: number | null;
    readonly cpu_ms: number | null;
    readonly max_rss_bytes: number | null;
    readonly stderr_tail?: string | undefined;
    readonly kill?: RecordedKill | undefined;
    readonly delay_ms: number;
    /** Why the job waits now, for people. */
    readonly waiting: StateReason;
  } & RecordedUse;
  "job.ended": {
    readonly state: JobState;
    readonly reason: StateReason | null;
    readonly exit_code: number | null;
    readonly signal: number | null;
    readonly outputs: string | null;
    readonly files: readonly RecordedFile[];
    readonly cpu_ms: number | null;
    readonly max_rss_bytes: number | null;
    readonly stderr_tail?: string | undefined;
    /** Later jobs may take the result; a sentence says why they may not. Absent: it was not to be kept. */
    readonly reusable?: ReusableResult | string | undefined;
    readonly kill?: RecordedKill | undefined;
  } & RecordedUse;
  "job.late": { readonly state: JobState };
  /** With the run's jobs this one was ended, and nothing of it is left. May follow the job's own end. */
  "job.killed": { readonly attempt: number } & RecordedKill;
  /** An upload is about to be removed. Refused while an open run refers to it. */
  "upload.pruned": { readonly upload_id: string; readonly bytes: number };
  "catalog.changed": { readonly networks: number; readonly tools: number };
  "server.started": { readonly version: string; readonly pid: number };
  "server.stopping": { readonly mode: string };
}

/** An event on its way into the journal: the journal adds `seq` and `time`. */
export type NewEvent = {
  [Type in EventType]: {
    readonly type: Type;
    readonly run_id: string | null;
    readonly job_id?: string;
    readonly step?: string;
    readonly sample_id?: string;
    readonly actor: string;
    readonly data: EventData[Type];
    /** Stored in the same transaction. */
    readonly blobs?: readonly Blob[];
  };
}[EventType];
