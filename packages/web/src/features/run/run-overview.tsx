import { useQuery } from "@tanstack/react-query";
import type { ForeignRun, ImportedRun, Run } from "@weft/shared/records/run-record.ts";
import { type ReactNode } from "react";
import { Link } from "react-router-dom";
import { runOutputsQuery } from "../../api/run-queries.ts";
import { FileLink } from "../../components/file-link.tsx";
import { EditLink } from "../../components/process-link.tsx";
import { comparisonPath } from "../../components/run-paths.ts";
import { ValueView } from "../../components/value-view.tsx";
import { VerdictView } from "../../components/verdict-view.tsx";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { AbortCard } from "./abort-card.tsx";
import { useDeclaredProcess } from "./declared-process.ts";
import { FailureCard } from "./failure-card.tsx";
import { PartialOutputs, PartialValue } from "./partial-outputs.tsx";
import { RunSummary } from "./run-header.tsx";
import { PrunedNote } from "./run-storage.tsx";
import { StepTable } from "./step-table.tsx";
import { WholeRun } from "./whole-run.tsx";

const RunSizing = onDemand(() => import("./run-sizing.tsx"));

/** The run at a glance: failures and their causes, outputs, and the state of each step. */
export default function RunOverview({ run }: { readonly run: Run }) {
  const partial = useQuery({ ...runOutputsQuery(run.run_id), enabled: run.partial });
  return (
    <div className="space-y-4">
      <FailureCard run={run} />
      <RunSummary run={run} />
      <AbortCard run={run} />
      <ImportCard run={run} />
      <ReproductionCard run={run} />
      <Outputs run={run} />
      {/* Waits for the outputs above, so that the steps do not move. */}
      {!(run.partial && partial.isPending) && <Steps run={run} />}
    </div>
  );
}

function Steps({ run }: { readonly run: Run }) {
  return (
    <section aria-labelledby="steps-title">
      <h2 id="steps-title" className="mb-2">
        Steps
      </h2>
      {run.step_counts.length === 0 ? <EmptyState text="No steps yet." /> : <StepTable run={run} />}
      <RunSizing run={run} />
    </section>
  );
}

function Outputs({ run }: { readonly run: Run }) {
  // The catalog has neither drafts nor documents of other servers.
  const isInCatalog = run.draft === undefined && run.imported === undefined;
  const labels = new Map(useDeclaredProcess(run, isInCatalog).outputs.map(({ id, label }) => [id, label]));
  return (
    <section aria-labelledby="out-title" className="card min-w-0 p-4">
      <h2 id="out-title" className="mb-2">
        Outputs
      </h2>
      <PrunedNote run={run} part="outputs" />
      <WholeRun run={run} part="outputs">
        {(whole) => <OutputValues run={whole} labels={labels} />}
      </WholeRun>
    </section>
  );
}

type Labels = ReadonlyMap<string, string | undefined>;

function OutputValues({ run, labels }: { readonly run: Run; readonly labels: Labels }) {
  if (run.partial)
    return (
      <PartialOutputs run={run}>
        {(produced) => (
          <ObjectView
            values={produced.outputs ?? {}}
            labels={labels}
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
  return (
    <ObjectView
      values={run.outputs}
      labels={labels}
      renderValue={(name, value) => (
        <>
          {plainValue(name, value)}
          <AfterLink runId={run.run_id} output={name} />
        </>
      )}
    />
  );
}

function AfterLink({ runId, output }: { readonly runId: string; readonly output: string }) {
  return (
    <EditLink
      to={`/networks/new?run=${runId}&after=${encodeURIComponent(output)}`}
      label="Add a step after this"
      icon="plus"
      className="mt-1 flex w-fit items-center gap-1 text-small text-soft hover:text-ink hover:underline [@media(hover:hover)]:opacity-0 [@media(hover:hover)]:group-focus-within:opacity-100 [@media(hover:hover)]:group-hover:opacity-100"
    />
  );
}

interface ObjectViewProps {
  readonly values: Readonly<Record<string, unknown>>;
  readonly labels: Labels;
  readonly renderValue?: (name: string, value: unknown) => ReactNode;
}

function ObjectView({ values, labels, renderValue = plainValue }: ObjectViewProps) {
  const entries = Object.entries(values);
  if (entries.length === 0) return <p className="text-soft">No outputs.</p>;
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-2 xl:grid-cols-3">
      {entries.map(([name, value]) => (
        <div key={name} className="group min-w-0">
          <dt className="text-soft" title={name}>
            {labels.get(name) ?? name}
          </dt>
          <dd className="wrap-anywhere">{renderValue(name, value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function plainValue(_name: string, value: unknown): ReactNode {
  return <ValueView value={value} renderFile={(file) => <FileLink file={file} />} />;
}

/** The original run of a reproduction, and the result of the comparison. */
function ReproductionCard({ run }: { readonly run: Run }) {
  const { reproduction } = run;
  if (reproduction === undefined) return null;
  const { of: original, verdict, tolerance } = reproduction;
  const hasTolerance = tolerance.relative > 0 || tolerance.absolute > 0;
  return (
    <TitledSection title="Reproduction" card>
      <p className="mb-2">
        Reproduces{" "}
        <Link className="link" to={`/run/${original}`}>
          an earlier run
        </Link>
        {hasTolerance &&
          `; tolerance: ${Number((tolerance.relative * 100).toPrecision(6))} % relative, ${tolerance.absolute} absolute`}
        .{" "}
        <Link className="link" to={comparisonPath([original, run.run_id])}>
          Compare
        </Link>
      </p>
      {verdict === null ? (
        <p className="text-soft">{STATE_LOOKS[run.state].final ? "Comparing…" : "Compared when this run finishes."}</p>
      ) : (
        <VerdictView verdict={verdict} runId={run.run_id} />
      )}
    </TitledSection>
  );
}

/** Where, when and by whom an imported run was made, and who imported it. */
function ImportCard({ run: { imported } }: { readonly run: Run }) {
  if (imported === undefined) return null;
  if (imported.foreign !== undefined) return <ForeignCard imported={imported} foreign={imported.foreign} />;
  return (
    <TitledSection title="Imported" card>
      <p className="mb-2">
        Imported from another server, where it ran as <span className="code wrap-anywhere">{imported.made_as}</span> by{" "}
        {imported.made_by}, <TimeAgo time={imported.made_at} />. {imported.imported_by} imported it from its crate,{" "}
        <TimeAgo time={imported.imported_at} />.
      </p>
      <p className="text-soft">
        Read-only. Use <em>Reproduce…</em> to run it here. Metadata SHA-256:{" "}
        <span className="code wrap-anywhere">{imported.crate_sha256}</span>.
      </p>
    </TitledSection>
  );
}

interface ForeignCardProps {
  readonly imported: ImportedRun;
  readonly foreign: ForeignRun;
}

/** The engine that made the run, and the facts that its crate lacks. */
function ForeignCard({ imported, foreign: { engine, language, missing } }: ForeignCardProps) {
  return (
    <TitledSection title="Imported" card>
      <p className="mb-2">
        {engine ?? "Another engine"} made this run{language === null ? "" : ` of a workflow in ${language}`}, as{" "}
        <span className="code wrap-anywhere">{imported.made_as}</span>, by {imported.made_by}. {imported.imported_by}{" "}
        imported it from its crate, <TimeAgo time={imported.imported_at} />. The metadata of the crate have the SHA-256{" "}
        <span className="code wrap-anywhere">{imported.crate_sha256}</span>.
      </p>
      <p className="text-soft mb-2">
        It shows what the crate says, and Weft cannot run it again. Command lines, logs and resources are not imported.
      </p>
      {missing.length > 0 && (
        <>
          <h3 className="mb-1 font-medium">What the crate does not say</h3>
          <ul className="text-soft list-disc pl-5">
            {missing.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
    </TitledSection>
  );
}
