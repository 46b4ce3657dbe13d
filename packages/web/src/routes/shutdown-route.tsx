import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { runListQuery } from "../api/run-queries.ts";
import type { ShutdownMode } from "../api/shut-down.ts";
import { RoleGate } from "../components/role-gate.tsx";
import { RunTable } from "../components/run-table.tsx";
import { ShutdownForm } from "../features/shutdown/shutdown-form.tsx";
import { ShutdownWatch } from "../features/shutdown/shutdown-watch.tsx";
import { OPEN_STATES } from "../format/state-look.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";

/** `/shutdown`: asks first. Opening this page stops nothing. */
export default function ShutdownRoute() {
  const [accepted, setAccepted] = useState<ShutdownMode | undefined>(undefined);
  const open = useQuery(runListQuery({ states: OPEN_STATES, pageSize: 50 }));
  return (
    <div className="max-w-5xl">
      <PageHeading title="Shut down" documentTitle="Shut down" />
      {accepted === undefined ? (
        <div className="space-y-5">
          <section aria-labelledby="open-title">
            <h2 id="open-title" className="mb-2">
              Runs in progress
            </h2>
            <QueryView query={open} rows={1}>
              {(data) =>
                data.runs.length === 0 ? (
                  <p className="card px-4 py-3 text-soft">None.</p>
                ) : (
                  <RunTable runs={data.runs} caption="Runs in progress" />
                )
              }
            </QueryView>
          </section>
          <RoleGate needs="admin" what="Shutting the server down">
            <ShutdownForm onAccepted={setAccepted} />
          </RoleGate>
        </div>
      ) : (
        <ShutdownWatch mode={accepted} />
      )}
    </div>
  );
}
