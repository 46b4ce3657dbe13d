import type { FormatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import type { FileAccess } from "@weft/cwl/files/file-access.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Requirement } from "@weft/cwl/model/requirement.ts";
import type { Call } from "@weft/cwl/workflow/advance.ts";
import type { PinnedFile } from "@weft/shared/events/run-events.ts";
import type { JobTool } from "@weft/shared/records/job-record.ts";
import type { RunOptions } from "@weft/shared/records/run-record.ts";
import type { LogReader } from "../../journal/log-reader.ts";
import type { JobPosition } from "../../journal/read-cache.ts";
import type { JobRow } from "../../journal/rows.ts";
import type { Sinks } from "../../sink/check-sinks.ts";
import type { SampleNames } from "../../sink/derivative/sample-sources.ts";
import type { Catalog } from "../../catalog/catalog.ts";

/** The parts of one run. Built once, when the run starts or resumes; the modules that drive it only read it. */
export interface RunContext {
  readonly runId: string;
  readonly process: Process;
  /** Kind and id of the process in the catalog. */
  readonly place: Pick<JobPosition, "kind" | "processId">;
  readonly formats: FormatKnowledge;
  /** The inputs of the request, with absolute locations. */
  readonly values: CwlObject;
  /** Called when remote files have arrived: returns the bound inputs, or rejects with CwlFailure. */
  readonly bind: (files: FileAccess) => Promise<CwlObject>;
  /** The remote files that an earlier server fetched for this run. Absent: none. */
  readonly pinned?: readonly PinnedFile[];
  readonly options: RunOptions;
  /** The names of list elements in inputs, from the request. */
  readonly samples: SampleNames;
  /** Folders to which the outputs are copied. */
  readonly sinks: Sinks;
  /** The job that the log holds for a call, if an earlier server began this run. */
  readonly recorded: (callId: string) => JobRow | undefined;
  /** The run that this one reproduces. */
  readonly original?: OriginalRun;
  /** The number of the last job in the log; absent if there is none. */
  readonly jobsRecorded?: number;
  /** `cwl:requirements` of an input object. */
  readonly overrides?: readonly Requirement[];
  /** Absolute path; absent: `outputs` in the folder of the run. */
  readonly outputsFolder?: string;
}

/** The values that jobs of a reproduction reuse from the original run. */
export interface OriginalRun {
  /** The id of a recorded tool in its original catalog. */
  toolOf(call: Call): JobTool | undefined;
  /** `sha256:…` of the image that the call ran in; undefined without a container, or if the engine did not report it. */
  imageOf(call: Call): string | undefined;
}

export function originalRun(runId: string, read: LogReader): OriginalRun {
  const tools = read.jobToolsOf(runId);
  return {
    toolOf: ({ step }) => tools.get(step),
    imageOf: ({ id }) => {
      const container = read.jobByCall(runId, id)?.container;
      return container == null || container.engine === "none" ? undefined : (container.digest ?? undefined);
    },
  };
}

/** How records name the process of a call: by its catalog entry, if it has one. */
export function describeTool(call: Call, catalog: Catalog | undefined): JobTool {
  const place = catalog?.publisher(call.process)?.place;
  const { label } = call.process;
  return {
    id: place?.kind === "tool" ? place.id : null,
    version: place?.kind === "tool" ? place.version : null,
    class: call.process.class,
    ...(label === undefined ? {} : { label }),
  };
}
