import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router-dom";
import { wholeRunQuery } from "../../api/run-queries.ts";
import { RoleGate } from "../../components/role-gate.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { RunForm } from "./run-form.tsx";
import type { RunTarget } from "./run-target.ts";

export interface StartRunProps {
  readonly target: RunTarget;
}

/** The form of a network or tool; the run that is started is gone to. */
export function StartRun({ target }: StartRunProps) {
  return (
    <RoleGate needs="runner" what="Starting a run">
      <FormStart target={target} />
    </RoleGate>
  );
}

/** Reads the run in `?from=`, with whose inputs and options the form begins. */
function FormStart({ target }: StartRunProps) {
  const navigate = useNavigate();
  const [from] = useSearchParam("from");
  const earlier = useQuery({ ...wholeRunQuery(from), enabled: from !== "", staleTime: Number.POSITIVE_INFINITY });
  if (from !== "" && earlier.isPending) return <Skeleton />;
  return (
    <>
      {from !== "" && (
        <p className="mb-3 text-soft">
          {earlier.data === undefined
            ? `The run ${from} could not be read, so the form is empty.`
            : `Filled with the inputs and options of ${earlier.data.name}.`}
        </p>
      )}
      <RunForm
        key={`${target.digest} ${from}`}
        target={target}
        earlier={earlier.data}
        onStarted={(run) => {
          showToast(`${run.name} has started`);
          void navigate(`/run/${run.run_id}`);
        }}
      />
    </>
  );
}
