import { useQuery } from "@tanstack/react-query";
import type { BackendList } from "@weft/shared/records/operations-record.ts";
import { routeQuery } from "../../api/route-query.ts";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { QueryView } from "../../ui/query-view.tsx";

type Backend = BackendList["backends"][number];

const COLUMNS: readonly Column<Backend>[] = [
  { label: "Backend", bare: true, className: "font-medium", cell: ({ kind }) => NAMES[kind] },
  { label: "State", cell: stateOf },
  { label: "Running", number: true, cell: (backend) => backend.jobs_running },
  { label: "Starting", number: true, cell: (backend) => backend.jobs_starting },
  { label: "Slots", number: true, cell: ({ places }) => places },
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
          <DataTable caption="Backends" columns={COLUMNS} rows={data.backends} keyOf={({ kind }) => kind} />
          {data.backends.length > 2 && <p className="mt-2 text-soft">Slurm and TES share their slots.</p>}
        </>
      )}
    </QueryView>
  );
}

function stateOf({ is_default, gets_jobs }: Backend): string {
  if (is_default) return "default";
  return gets_jobs ? "used by routing rules" : "accepts no new jobs";
}
