import type { CwlVersion } from "../../model/cwl-version.ts";
import type { Process } from "../../model/process.ts";

/** What holds while a document is packed. */
export interface PackScope {
  /** URI of the document that relative locations start from. */
  readonly rootUri: string;
  /** IDs of the processes in `$graph`, the root first. */
  readonly names: ReadonlyMap<Process, string>;
  /** Version of the process around; a process is written in its own version's syntax. */
  readonly version: CwlVersion;
}
