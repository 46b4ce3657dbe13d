import type { Run } from "@weft/shared/records/run-record.ts";
import { FileLink } from "../../components/file-link.tsx";
import { ValueView } from "../../components/value-view.tsx";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { AbortCard } from "./abort-card.tsx";
import { FailureCard } from "./failure-card.tsx";
import { ImportCard } from "./import-card.tsx";
import { ReproductionCard } from "./reproduction-card.tsx";
import { PrunedNote } from "./run-storage.tsx";
import { StepTable } from "./step-table.tsx";

/** The run at a glance: what failed, what went in, what came out, how each step is doing. */
export function RunOverview({ run }: { readonly run: Run }) {
  return (
    <div className="space-y-5">
      <FailureCard run={run} />
      <AbortCard run={run} />
      <ImportCard run={run} />
      <ReproductionCard run={run} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <section aria-labelledby="in-title" className="card min-w-0 p-4">
          <h2 id="in-title" className="mb-2">
            Inputs
          </h2>
          <ObjectView values={run.inputs} empty="It was started without inputs." />
        </section>
        <Outputs run={run} />
      </div>
      <section aria-labelledby="steps-title">
        <h2 id="steps-title" className="mb-2">
          Steps
        </h2>
        {run.step_counts.length === 0 ? (
          <EmptyState text="No step is known yet." />
        ) : (
          <StepTable steps={run.step_counts} />
        )}
      </section>
    </div>
  );
}

function Outputs({ run }: { readonly run: Run }) {
  return (
    <section aria-labelledby="out-title" className="card min-w-0 p-4">
      <h2 id="out-title" className="mb-2">
        Outputs
      </h2>
      <PrunedNote run={run} part="outputs" />
      {run.outputs === null ? (
        <p className="text-soft">
          {STATE_LOOKS[run.state].final ? "The run ended without outputs." : "They appear when the run has ended."}
        </p>
      ) : (
        <ObjectView values={run.outputs} empty="It has no outputs." />
      )}
    </section>
  );
}

function ObjectView({ values, empty }: { readonly values: Readonly<Record<string, unknown>>; readonly empty: string }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return <p className="text-soft">{empty}</p>;
  return (
    <dl className="space-y-2">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt className="text-soft">{name}</dt>
          <dd className="wrap-anywhere">
            <ValueView value={value} renderFile={(file) => <FileLink file={file} />} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
