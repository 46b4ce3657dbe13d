import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { DatasetQuery, SavedDatasetQuery } from "@weft/shared/records/dataset-record.ts";
import { useState, type FormEvent } from "react";
import { Link } from "react-router-dom";
import { datasetKeys, saveQuery } from "../../api/dataset-queries.ts";
import { useRights } from "../../api/session-query.ts";
import { savedQueryFormPath, type QueryState } from "../../components/dataset-paths.ts";
import { runFormPath } from "../../components/run-paths.ts";
import { ErrorCard } from "../../ui/error-card.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";

export interface QueryBarProps {
  readonly networks: readonly string[];
  readonly network: string;
  /** Undefined while the builder is unfinished. */
  readonly query: DatasetQuery | undefined;
  /** The saved query that the builder began with. */
  readonly saved: SavedDatasetQuery | undefined;
  /** Whether the builder differs from the saved query. */
  readonly isChanged: boolean;
}

/** Chooses the network that a query is for, fills its form, and saves the query. */
export function QueryBar({ networks, network, query, saved, isChanged }: QueryBarProps) {
  const [, setNetwork] = useSearchParam("network");
  const mayRun = useRights().has("runner");
  const form = formOf(network, query, isChanged ? undefined : saved);
  return (
    <div className="card space-y-3 p-4">
      <div className="flex flex-wrap items-end gap-3">
        <label className="block">
          <span className="mb-1 block font-medium">Network</span>
          <select
            className="input w-auto"
            value={network}
            onChange={(event) => setNetwork(event.target.value, { replace: true })}
          >
            <option value="">Choose a network</option>
            {networks.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
        {mayRun && network !== "" && form !== undefined && (
          <Link className="btn btn-primary" {...form}>
            Use in network
          </Link>
        )}
      </div>
      {mayRun && network !== "" && query !== undefined && (
        <SaveForm key={saved?.query_id ?? ""} network={network} query={query} saved={saved} />
      )}
    </div>
  );
}

/** The form of a network with a query. A saved one goes by its ID, so that the run records its name. */
function formOf(
  network: string,
  query: DatasetQuery | undefined,
  saved: SavedDatasetQuery | undefined,
): { readonly to: string; readonly state?: QueryState } | undefined {
  if (saved !== undefined) return { to: savedQueryFormPath(network, saved.query_id) };
  return query && { to: runFormPath(network), state: { datasetQuery: query } };
}

interface SaveFormProps extends Pick<QueryBarProps, "saved" | "network"> {
  readonly query: DatasetQuery;
}

function SaveForm({ network, query, saved }: SaveFormProps) {
  const [name, setName] = useState(saved?.name ?? "");
  const [, setId] = useSearchParam("query");
  const cache = useQueryClient();
  const save = useMutation({
    mutationFn: (old: SavedDatasetQuery | undefined) => saveQuery({ name: name.trim(), network, query }, old),
    onSuccess: async (now) => {
      await cache.invalidateQueries({ queryKey: datasetKeys.queries });
      showToast(`Saved “${now.name}”`);
      setId(now.query_id, { replace: true });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== "") save.mutate(undefined);
  };
  return (
    <form className="flex flex-wrap items-end gap-2" onSubmit={submit}>
      <label className="block">
        <span className="mb-1 block font-medium">Query name</span>
        <input className="input w-56" maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
      </label>
      {saved !== undefined && (
        <button type="button" className="btn" disabled={save.isPending} onClick={() => save.mutate(saved)}>
          Save changes
        </button>
      )}
      <button type="submit" className="btn" disabled={save.isPending || name.trim() === ""}>
        {saved === undefined ? "Save query" : "Save as new"}
      </button>
      {save.error !== null && <ErrorCard error={save.error} />}
    </form>
  );
}
