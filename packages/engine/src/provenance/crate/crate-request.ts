import type { Reach } from "../../files/beneath/reach.ts";
import type { CrateRecord } from "./crate-record.ts";
import type { CrateSource } from "./crate-source.ts";

export interface CrateRequest {
  readonly source: CrateSource;
  /** The version of Weft that ran it; undefined if the log does not record it. */
  readonly engineVersion: string | undefined;
  /** Portable URL of the folder with the run's outputs, with a trailing slash. */
  readonly outputsUri: string;
  /** Absolute path of the folder of an attempt of a job. */
  readonly attemptFolder: (job: { readonly jobId: string; readonly attempt: number }) => string;
  /** The real path for a portable URL; undefined if it is not on this machine or not ours to disclose. */
  readonly resolve: (uri: string) => Promise<string | undefined>;
  readonly reach: Reach;
  /** The fields of the run that may be shown. */
  readonly logReach: Reach;
  /** Files about the run as a whole: its events, and its provenance in other formats. */
  readonly records: readonly CrateRecord[];
}
