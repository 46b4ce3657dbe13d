import type { Call } from "@weft/cwl/workflow/advance.ts";
import type { JobTool } from "@weft/shared/records/job-record.ts";
import type { LogReader } from "../../journal/log-reader.ts";

/** What the jobs of a reproduction take from the original run. */
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
