import { useMutation, useQueryClient } from "@tanstack/react-query";
import { writeConditions } from "@weft/shared/dataset/condition-text.ts";
import type { SavedDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import { Link } from "react-router-dom";
import { datasetKeys, deleteQuery } from "../../api/dataset-queries.ts";
import { useRights } from "../../api/session-query.ts";
import { datasetPath, savedQueryFormPath } from "../../components/dataset-paths.ts";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";
import { showError } from "../../ui/toast.tsx";

const COLUMNS: readonly Column[] = [
  { label: "Query" },
  { label: "Network" },
  { label: "Dataset" },
  { label: "Conditions" },
  { label: "Changed" },
  { label: "Actions", hidden: true },
];

export function SavedQueryTable({ queries }: { readonly queries: readonly SavedDatasetQuery[] }) {
  return (
    <DataTable caption="Saved queries" columns={COLUMNS} isLong={queries.length > 50}>
      {queries.map((saved) => (
        <SavedQueryRow key={saved.query_id} saved={saved} />
      ))}
    </DataTable>
  );
}

function SavedQueryRow({ saved }: { readonly saved: SavedDatasetQuery }) {
  const { query_id: id, name, network, query } = saved;
  const mayRun = useRights().has("runner");
  return (
    <tr>
      <td>
        <Link className="link font-medium" to={`${datasetPath(query, network)}&query=${id}`}>
          {name}
        </Link>
      </td>
      <td data-label="Network">
        <Link className="link" to={`/network/${network}`}>
          {network}
        </Link>
      </td>
      <td data-label="Dataset" className="code wrap-anywhere">
        {query.location}
      </td>
      <td data-label="Conditions" className="wrap-anywhere">
        {writeConditions(query.where ?? []) || "all files"}
      </td>
      <td data-label="Changed">
        <TimeAgo time={saved.updated_at} /> <span className="text-soft">by {saved.updated_by}</span>
      </td>
      <td className="text-right">{mayRun && <RowActions saved={saved} />}</td>
    </tr>
  );
}

function RowActions({ saved: { query_id: id, name, network } }: { readonly saved: SavedDatasetQuery }) {
  const cache = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteQuery(id),
    onSuccess: () => cache.invalidateQueries({ queryKey: datasetKeys.queries }),
    onError: (error) => showError(`${name} was not deleted: ${error.message}`),
  });
  return (
    <span className="flex justify-end gap-1.5">
      <Link className="btn btn-small" to={savedQueryFormPath(network, id)}>
        Use in form
      </Link>
      <button type="button" className="btn btn-small btn-quiet" onClick={() => remove.mutate()}>
        Delete<span className="sr-only"> query {name}</span>
      </button>
    </span>
  );
}
