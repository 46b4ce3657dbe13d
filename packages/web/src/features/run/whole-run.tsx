import { useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { ReactNode } from "react";
import { ownUrl } from "../../api/base-path.ts";
import { wholeRunQuery } from "../../api/queries/run-queries.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { QueryView } from "../../ui/query-view.tsx";

/** Larger values are not loaded into the page. */
const SHOWN_BYTES = 1024 * 1024;

interface WholeRunProps {
  readonly run: Run;
  readonly part: "inputs" | "outputs";
  readonly children: (whole: Run) => ReactNode;
}

/** Shows a run with a part that its record omits because it is large. */
export function WholeRun({ run, part, children }: WholeRunProps) {
  const { omitted } = run;
  const bytes = omitted?.[`${part}_bytes`];
  const { inputs_bytes: inputs = 0, outputs_bytes: outputs = 0, placed_bytes: placed = 0 } = omitted ?? {};
  const isRead = bytes !== undefined && inputs + outputs + placed <= SHOWN_BYTES;
  const query = useQuery({ ...wholeRunQuery(run.run_id), enabled: isRead });
  if (omitted === undefined || bytes === undefined) return children(run);
  if (isRead)
    return (
      <QueryView query={query} rows={3}>
        {children}
      </QueryView>
    );
  return (
    <p className="text-soft">
      The {part} are too large to show here ({formatBytes(bytes)}).{" "}
      <a className="link" href={part === "outputs" ? `${ownUrl(run.url)}/outputs` : ownUrl(omitted.url)}>
        Open as JSON
      </a>
    </p>
  );
}
