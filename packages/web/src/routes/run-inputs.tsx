import { useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { runDatasetQuery } from "../api/dataset-queries.ts";
import { RunDataset } from "../features/datasets/run-dataset.tsx";
import InputsTab from "../features/run/inputs-tab.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

/** The query that gave a run its samples, if any, and its inputs. */
export default function RunInputs({ run }: { readonly run: Run }) {
  const { data: dataset, isPending } = useQuery(runDatasetQuery(run.run_id));
  if (isPending) return <Skeleton rows={8} />;
  return (
    <div className="space-y-5">
      {dataset !== null && dataset !== undefined && <RunDataset run={run} dataset={dataset} />}
      <InputsTab run={run} />
    </div>
  );
}
