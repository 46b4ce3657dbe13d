import type { CwlVersion } from "../../model/cwl-version.ts";
import type { Process } from "../../model/process.ts";

/** Settings for packing a document. */
export interface PackScope {
  /** URI of the document to which packed locations are relative. */
  readonly rootUri: string;
  /** IDs of the processes in `$graph`, the root first. */
  readonly names: ReadonlyMap<Process, string>;
  /** Version of the whole packed document: other runners read one version only. */
  readonly version: CwlVersion;
  /** The kind of parameter that a type belongs to. Only types of a tool's parameters can have bindings. */
  readonly types: "command-input" | "command-output" | "input" | "output";
}
