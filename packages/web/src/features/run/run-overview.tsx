import type { Run } from "@weft/shared/records/run-record.ts";
import type { ReactNode } from "react";
import { FileLink } from "../../components/file-link.tsx";
import { ValueView } from "../../components/value-view.tsx";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { AbortCard } from "./abort-card.tsx";
import { FailureCard } from "./failure-card.tsx";
import { ImportCard } from "./import-card.tsx";
import { PartialOutputs, PartialValue } from "./partial-outputs.tsx";
import { ReproductionCard } from "./reproduction-card.tsx";
import { PrunedNote } from "./run-storage.tsx";
import { StepTable } from "./step-table.tsx";
import { WholeRun } from "./whole-run.tsx";

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
          <WholeRun run={run} part="inputs">
            {({ inputs }) => <ObjectView values={inputs ?? {}} empty="No inputs (defaults used)." />}
          </WholeRun>
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
      <WholeRun run={run} part="outputs">
        {(whole) => <OutputValues run={whole} />}
      </WholeRun>
    </section>
  );
}

function OutputValues({ run }: { readonly run: Run }) {
  if (run.partial)
    return (
      <PartialOutputs run={run}>
        {(produced) => (
          <ObjectView
            values={produced.outputs ?? {}}
            empty="No outputs."
            renderValue={(name, value) => (
              <PartialValue
                output={name}
                produced={produced}
                value={value}
                renderFile={(file) => <FileLink file={file} />}
              />
            )}
          />
        )}
      </PartialOutputs>
    );
  if (run.outputs === null)
    return (
      <p className="text-soft">
        {STATE_LOOKS[run.state].final ? "No outputs: no job succeeded." : "Available when the run finishes."}
      </p>
    );
  return <ObjectView values={run.outputs} empty="No outputs." />;
}

interface ObjectViewProps {
  readonly values: Readonly<Record<string, unknown>>;
  readonly empty: string;
  readonly renderValue?: (name: string, value: unknown) => ReactNode;
}

function ObjectView({ values, empty, renderValue = plainValue }: ObjectViewProps) {
  const entries = Object.entries(values);
  if (entries.length === 0) return <p className="text-soft">{empty}</p>;
  return (
    <dl className="space-y-2">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt className="text-soft">{name}</dt>
          <dd className="wrap-anywhere">{renderValue(name, value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function plainValue(_name: string, value: unknown): ReactNode {
  return <ValueView value={value} renderFile={(file) => <FileLink file={file} />} />;
}
