import type { Reach } from "../../files/beneath/reach.ts";
import type { CrateRecord } from "./crate-record.ts";
import type { CrateSource } from "./crate-source.ts";

export interface CrateRequest {
  readonly source: CrateSource;
  /** The version of Weft that ran it; undefined if the log does not say. */
  readonly engineVersion: string | undefined;
  /** Portable address of the folder of the run's outputs, with a slash at the end. */
  readonly outputsUri: string;
  /** Absolute path of the folder of an attempt of a job. */
  readonly attemptFolder: (job: { readonly jobId: string; readonly attempt: number }) => string;
  /** The real path behind a portable address, undefined where it is not here or not ours to give away. */
  readonly resolve: (uri: string) => Promise<string | undefined>;
  readonly reach: Reach;
  /** What may be shown of the run itself. */
  readonly logReach: Reach;
  /** Files that are told about the run as a whole: its events, its provenance in other forms. */
  readonly records: readonly CrateRecord[];
}
