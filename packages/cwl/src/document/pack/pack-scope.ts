import type { CwlVersion } from "../../model/cwl-version.ts";
import type { Process } from "../../model/process.ts";

/** The settings while a document is packed. */
export interface PackScope {
  /** URI of the document that relative locations start from. */
  readonly rootUri: string;
  /** IDs of the processes in `$graph`, the root first. */
  readonly names: ReadonlyMap<Process, string>;
  /** Version of the enclosing process; a process is written in its own version's syntax. */
  readonly version: CwlVersion;
}
