import type { Run } from "@weft/shared/records/run-record.ts";
import { lazy, Suspense, useState } from "react";
import { useRights } from "../../api/session-query.ts";

const FreeSpaceDialog = lazy(() => import("./free-space-dialog.tsx"));

/** Deletes files of finished runs after showing them: for one run, or for the whole server. For admins. */
export function FreeSpaceButton({ run }: { readonly run?: Pick<Run, "run_id" | "name"> }) {
  const [asking, setAsking] = useState(false);
  const { has } = useRights();
  if (!has("admin")) return null;
  return (
    <>
      <button type="button" className="btn btn-small max-md:min-h-11" onClick={() => setAsking(true)}>
        Free space…{run !== undefined && <span className="sr-only"> of {run.name}</span>}
      </button>
      {asking && (
        <Suspense fallback={null}>
          <FreeSpaceDialog run={run} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
