import { useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { Fragment, type ReactNode } from "react";
import { runQuery } from "../api/run-queries.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

export interface FormStartProps {
  readonly children: (earlier: Run | undefined) => ReactNode;
}

/** Reads the run in `?from=`, with whose inputs and options a form begins. */
export function FormStart({ children }: FormStartProps) {
  const [from] = useSearchParam("from");
  const run = useQuery({ ...runQuery(from), enabled: from !== "", staleTime: Number.POSITIVE_INFINITY });
  if (from !== "" && run.isPending) return <Skeleton />;
  return (
    <>
      {from !== "" && (
        <p className="mb-3 text-soft">
          {run.data === undefined
            ? `The run ${from} could not be read, so the form is empty.`
            : `Filled with the inputs and options of ${run.data.name}.`}
        </p>
      )}
      <Fragment key={from}>{children(run.data)}</Fragment>
    </>
  );
}
