import type { Call } from "@weft/cwl/workflow/advance.ts";
import type { JobTool } from "@weft/shared/records/job-record.ts";
import type { LogReader } from "../../journal/log-reader.ts";

/** What a run that is reproduced tells those of its jobs that are made again. */
export interface OriginalRun {
  /** What the tool of a recorded document is called in the catalog that it came from. */
  toolOf(call: Call): JobTool | undefined;
  /** `sha256:…` of the image that the same call ran in; undefined where it ran in none, or the engine did not tell. */
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
