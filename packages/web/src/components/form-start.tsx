import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import { runQuery } from "../api/run-queries.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

const NO_VALUES = {};

export interface FormStartProps {
  readonly children: (startValues: Readonly<Record<string, unknown>>) => ReactNode;
}

/** Reads the inputs that a form begins with: those of the run in `?from=`, else none. */
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
            : `Filled with the inputs of ${run.data.name}.`}
        </p>
      )}
      <Fragment key={from}>{children(run.data?.inputs ?? NO_VALUES)}</Fragment>
    </>
  );
}
