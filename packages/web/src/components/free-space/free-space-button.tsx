import type { Run } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { useRights } from "../../api/session-query.ts";
import { Button } from "../../ui/button.tsx";
import { onDemand } from "../../ui/on-demand.tsx";

const FreeSpaceDialog = onDemand(() => import("./free-space-dialog.tsx"));

/** Deletes files of finished runs after showing them: for one run, or for the whole server. For admins. */
export function FreeSpaceButton({ run }: { readonly run?: Pick<Run, "run_id" | "name"> }) {
  const [asking, setAsking] = useState(false);
  const { has } = useRights();
  if (!has("admin")) return null;
  return (
    <>
      <Button small onClick={() => setAsking(true)}>
        Free up space…{run !== undefined && <span className="sr-only"> of {run.name}</span>}
      </Button>
      {asking && <FreeSpaceDialog run={run} onClose={() => setAsking(false)} />}
    </>
  );
}
