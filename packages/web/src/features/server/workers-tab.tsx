import { useQuery } from "@tanstack/react-query";
import type { BackendList } from "@weft/shared/records/operations-record.ts";
import { routeQuery } from "../../api/route-query.ts";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { QueryView } from "../../ui/query-view.tsx";

type Backend = BackendList["backends"][number];

const COLUMNS: readonly Column[] = [
  { label: "Backend" },
  { label: "State" },
  { label: "Running", number: true },
  { label: "Starting", number: true },
  { label: "Slots", number: true },
];

const NAMES: Readonly<Record<Backend["kind"], string>> = {
  local: "This machine",
  slurm: "Slurm",
  tes: "TES server",
};

/** The backends on which jobs run. */
export function WorkersTab() {
  const backends = useQuery({ ...routeQuery("GET /api/server/backends"), refetchInterval: 5000 });
  return (
    <QueryView query={backends} rows={3}>
      {(data) => (
        <>
          <DataTable caption="Backends" columns={COLUMNS}>
            {data.backends.map((backend) => (
              <BackendRow key={backend.kind} backend={backend} />
            ))}
          </DataTable>
          {data.backends.length > 2 && <p className="mt-2 text-soft">Slurm and TES share their slots.</p>}
        </>
      )}
    </QueryView>
  );
}

function BackendRow({ backend }: { readonly backend: Backend }) {
  return (
    <tr>
      <td className="font-medium">{NAMES[backend.kind]}</td>
      <td data-label="State">{stateOf(backend)}</td>
      <td data-label="Running" className="number">
        {backend.jobs_running}
      </td>
      <td data-label="Starting" className="number">
        {backend.jobs_starting}
      </td>
      <td data-label="Slots" className="number">
        {backend.places}
      </td>
    </tr>
  );
}

function stateOf({ is_default, gets_jobs }: Backend): string {
  if (is_default) return "default";
  return gets_jobs ? "used by routing rules" : "accepts no new jobs";
}
