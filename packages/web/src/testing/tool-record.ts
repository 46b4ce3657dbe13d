import type { Tool } from "@weft/shared/records/process-record.ts";

/** The record of a tool, with some changes. */
export function toolRecord(change: Partial<Tool> = {}): Tool {
  return {
    ...{ id: "threshold", version: "1.0.0", versions: [], url: "", digest: "", class: "CommandLineTool" },
    ...{ cwl_version: "v1.2", stats: { runs: 0, last_run_at: null, median_duration_ms: null }, examples: [] },
    ...{ inputs: [], outputs: [], validation: { status: "valid", issues: [] }, validation_status: "valid", source: [] },
    command: { base_command: ["node"], arguments: [], template_text: "node x" },
    ...{ container: null, software: [], resources: {}, environment: {}, links: {}, used_by: [], ...change },
  };
}
