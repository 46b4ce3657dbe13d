import type { Call } from "@weft/cwl/workflow/advance.ts";
import type { JobTool } from "@weft/shared/records/job-record.ts";
import type { Catalog } from "../../catalog/catalog.ts";

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
