import type { DatasetDetail } from "@weft/shared/records/dataset-record.ts";
import { useCallback } from "react";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ValueGrid } from "./value-grid.tsx";
import { numberText } from "../../format/count-text.ts";

const COLUMNS = [
  { id: "path", label: "Path", width: 320 },
  { id: "reason", label: "Reason", width: 260 },
] as const;

/** Files and folders that are not part of the dataset, with the reasons. */
export function ProblemGrid({ detail: { problems, problems_total: total } }: { readonly detail: DatasetDetail }) {
  const cellAt = useCallback(
    (row: number, column: number) => (column === 0 ? problems[row]?.name : problems[row]?.reason) ?? "",
    [problems],
  );
  if (total === 0) return <EmptyState text="Every file is part of the dataset." />;
  return (
    <>
      <ValueGrid label="Files that are not read" columns={COLUMNS} rows={problems.length} cellAt={cellAt} shown={18} />
      {problems.length < total && (
        <p className="mt-1 text-soft">
          The first {numberText(problems.length)} of {numberText(total)}.
        </p>
      )}
    </>
  );
}
