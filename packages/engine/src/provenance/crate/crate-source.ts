import type { Process } from "@weft/cwl/model/process.ts";
import type { FileRow, JobRow, RunRow } from "../../journal/rows.ts";
import type { CrateFiles } from "./crate-files.ts";
import type { CrateGraph } from "./crate-graph.ts";
import type { ProcessIds } from "./process-ids.ts";

/** The facts about one ended run that a crate needs from the log. */
export interface CrateSource {
  readonly run: RunRow;
  readonly process: Process;
  /** The jobs in queue order. */
  readonly jobs: readonly JobRow[];
  readonly files: readonly FileRow[];
  /** The text of a document, input or output object by its digest. */
  readonly blob: (digest: string) => string;
}

/** A crate in the making: the run that it describes, and the description so far. */
export interface CrateContext {
  readonly source: CrateSource;
  /** The version of Weft that ran it; undefined if the log does not record it. */
  readonly engineVersion: string | undefined;
  /** Id of the person for whom it ran. */
  readonly person: string;
  readonly graph: CrateGraph;
  readonly ids: ProcessIds;
  readonly files: CrateFiles;
}

/** The process at a path of steps such as `outer/inner`; the empty path is the process itself. */
export function processAt(main: Process, path: string): Process | undefined {
  if (path === "") return main;
  return path.split("/").reduce<Process | undefined>((process, name) => {
    if (process?.class !== "Workflow") return undefined;
    return process.steps.find(({ id }) => id === name)?.run;
  }, main);
}
