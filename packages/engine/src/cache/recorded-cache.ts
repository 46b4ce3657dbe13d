import type { CacheDifference } from "@weft/shared/records/job-record.ts";

/** What decides the result of a job, each component for itself, so that two jobs can be compared (see explain-miss.ts). */
export interface KeyParts {
  /** Of this form of keys: what was made by other rules is never equal. */
  readonly v: 1;
  readonly tool: string;
  /** The requirements in effect that a tool can feel, by class. */
  readonly requirements: Digests;
  /** The image's digest (its name where the engine tells none), or `none`. */
  readonly container: string;
  /** What the tool is told that it may use; MiB. */
  readonly resources: Readonly<Record<"cores" | "ram" | "tmpdir" | "outdir", number>>;
  /** What the machine brings in where there is no container. */
  readonly environment: Digests;
  /** Files that the document itself puts into the working folder. */
  readonly files: Digests;
  readonly inputs: Digests;
}

export type Digests = Readonly<Record<string, string>>;

export interface JobKey {
  /** SHA-256 over the parts: equal for jobs that must have equal results. */
  readonly key: string;
  readonly parts: KeyParts;
  /** `sha1$…` of every File of the inputs that has a location, by that. */
  readonly checksums: ReadonlyMap<string, string>;
}

/** Whether a job took over the result of an earlier one, as the log keeps it. */
export interface RecordedCache {
  readonly decision: "hit" | "miss" | "off";
  readonly reason: string;
  readonly diff: readonly CacheDifference[];
  /** Of a hit the job whose result was taken, of a miss the one that it was compared with. */
  readonly job?: { readonly run_id: string; readonly job_id: string } | undefined;
  /** Absent where no key was made; then nothing of the job is kept either. */
  readonly key?: string | undefined;
  readonly parts?: KeyParts | undefined;
}

/** Of a job that has ended well, and whose inputs were the same to its end. */
export interface ReusableResult {
  readonly key: string;
  /** Content of each output (see value-digest.ts). */
  readonly outputs: Readonly<Record<string, string>>;
}
