import { useQuery } from "@tanstack/react-query";
import { compareResults, type SampleChange } from "@weft/shared/dataset/compare-results.ts";
import { writeConditions } from "@weft/shared/dataset/condition-text.ts";
import type { DatasetOfRun, QueryResult } from "@weft/shared/records/dataset-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { isWesDocument } from "@weft/shared/records/wes-document-id.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { useMemo, useState } from "react";
import { Link } from "react-router-dom";
import { networkQuery, toolQuery } from "../api/queries/catalog-queries.ts";
import { datasetResultQuery } from "../api/queries/dataset-queries.ts";
import { routeQuery } from "../api/route-query.ts";
import { useRights } from "../api/session-query.ts";
import { FileLink, contentUrl } from "../components/file-link.tsx";
import type { QueryState } from "../components/form-state.ts";
import { ParameterName } from "../components/process/parameter-tables.tsx";
import { ValueView } from "../components/value-view.tsx";
import { columnInWords, conditionsInWords, unitInWords } from "../features/datasets/query-model.ts";
import { QueryResultView, ValueGrid, type ValueColumn } from "../features/datasets/query-result.tsx";
import { effectiveInputs, type EffectiveInput } from "../features/run/effective-inputs.ts";
import { WholeRun } from "../features/run/whole-run.tsx";
import { links } from "../format/links.ts";
import { sampleTotal } from "../format/sample-total.ts";
import { STATE_LOOKS } from "../format/state-look.ts";
import { fileName, folderText, type FileValue } from "../format/value-text.ts";
import { Button } from "../ui/button.tsx";
import { DataTable, type Column } from "../ui/data-table.tsx";
import { Icon } from "../ui/icon.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TimeAgo } from "../ui/time-text.tsx";
import { Facts, TitledSection, type Fact } from "../ui/titled-section.tsx";

const SHOWN_CONTENTS = 500;

/** The query that gave a run its samples, if any, and its inputs. */
export default function RunInputs({ run }: { readonly run: Run }) {
  // The query that gave the run its samples never changes.
  const { data, isPending } = useQuery({
    ...routeQuery("GET /api/runs/{run_id}/dataset", { params: { run_id: run.run_id } }),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  if (isPending) return <Skeleton rows={8} />;
  return (
    <div className="space-y-5">
      {data?.dataset != null && <RunDataset run={run} dataset={data.dataset} />}
      <InputsTab run={run} />
    </div>
  );
}

/** The inputs of the run: values of the request, and defaults. */
function InputsTab({ run }: { readonly run: Run }) {
  const declared = useDeclaredInputs(run);
  if (declared.isPending) return <Skeleton rows={8} />;
  return (
    <>
      {declared.isOther && (
        <p className="mb-3 text-canceled">
          {declared.inputs.length === 0
            ? "This run's document is no longer in the catalog, so defaults are not shown."
            : "The document changed since this run; defaults are from the current version."}
        </p>
      )}
      <WholeRun run={run} part="inputs">
        {({ inputs }) => <InputTable run={run} inputs={effectiveInputs(inputs ?? {}, declared.inputs)} />}
      </WholeRun>
    </>
  );
}

function InputTable({ run, inputs }: { readonly run: Run; readonly inputs: readonly EffectiveInput[] }) {
  const columns: readonly Column<EffectiveInput>[] = [
    { label: "Input", bare: true, render: (input) => <ParameterName {...input} /> },
    { label: "Value", className: "wrap-anywhere md:w-1/2", render: (input) => <InputValue run={run} input={input} /> },
    { label: "Type", className: "code text-soft", render: ({ type }) => type },
  ];
  return (
    <DataTable
      caption="Run inputs"
      columns={columns}
      rows={inputs}
      keyOf={({ id }) => id}
      attributesOf={() => ({ className: "*:align-top!" })}
      empty="This run has no inputs."
    />
  );
}

function InputValue({ run, input: { source, value } }: { readonly run: Run; readonly input: EffectiveInput }) {
  if (source === "none") return <span className="text-soft">not set</span>;
  return (
    // One element: on a phone, a cell is next to its label.
    <div className="min-w-0">
      <ValueView value={value} renderFile={(file) => <InputFile run={run} file={file} />} />
      {source === "default" && (
        <span className="ml-2 rounded bg-sunken px-1.5 py-0.5 text-small text-soft">default</span>
      )}
    </div>
  );
}

/** Links to the content if this server has it as a file of a run, else to the uses of the file. */
function InputFile({ run, file }: { readonly run: Run; readonly file: FileValue }) {
  return (
    <>
      {contentUrl(file) === undefined && file.contents === undefined ? (
        <span className="inline-flex max-w-full items-center gap-1.5" title={file.location ?? file.path}>
          <Icon name={file.class === "File" ? "file" : "folder"} className="size-3.5 text-soft" />
          <Link className="link truncate" to={links.files({ q: fileName(file), run: run.run_id })}>
            {fileName(file)}
          </Link>
        </span>
      ) : (
        <FileLink file={file} />
      )}
      <span className="ml-2 text-small text-soft">{folderText(file)}</span>
      {file.contents !== undefined && <Contents text={file.contents} />}
      {file.secondaryFiles !== undefined && file.secondaryFiles.length > 0 && (
        <ul className="border-l-2 border-line pl-3">
          {file.secondaryFiles.map((other) => (
            <li key={other.location ?? fileName(other)}>
              <InputFile run={run} file={other} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Contents({ text }: { readonly text: string }) {
  const isLong = text.length > SHOWN_CONTENTS;
  return (
    <pre className="code mt-0.5 max-h-32 overflow-auto border-l-2 border-line pl-3 whitespace-pre-wrap text-soft">
      {isLong ? `${text.slice(0, SHOWN_CONTENTS)}…` : text}
    </pre>
  );
}

/** The inputs of a run's document, if the server still has it; `isOther`: the catalog has a different version, or none. */
function useDeclaredInputs({ network, tool }: Run) {
  const { id = "" } = network ?? tool ?? {};
  const isArrived = isWesDocument(id);
  const ofNetwork = useQuery({
    ...networkQuery(id, network?.version ?? undefined),
    enabled: network !== undefined && !isArrived,
  });
  const ofTool = useQuery({
    ...toolQuery(id, tool?.version ?? undefined),
    enabled: tool !== undefined && !isArrived,
  });
  const arrived = useQuery({
    ...routeQuery("GET /api/wes-documents/{digest}", { params: { digest: id } }),
    enabled: isArrived,
  });
  const { data, isPending } = isArrived ? arrived : network === undefined ? ofTool : ofNetwork;
  return { isPending, inputs: data?.inputs ?? [], isOther: data?.digest !== (network ?? tool)?.digest };
}

interface RunDatasetProps {
  readonly run: Run;
  readonly dataset: DatasetOfRun;
}

const KIND_WORDS = { new: "new", changed: "changed", gone: "no longer found" } as const;

const COLUMNS: readonly ValueColumn<SampleChange>[] = [
  { label: "Sample", width: 150, text: ({ name }) => name },
  { label: "Since then", width: 130, text: ({ kind }) => KIND_WORDS[kind] },
  { label: "Reason", width: 320, text: reasonText },
];

/** The query that selected the samples of a run: its results at that time, and the differences since. */
function RunDataset({ run, dataset }: RunDatasetProps) {
  const [isShown, setIsShown] = useState(false);
  const [isAskedAgain, setIsAskedAgain] = useState(false);
  return (
    <TitledSection
      title="Samples from a dataset"
      card
      aside={
        <Button small disabled={isAskedAgain} onClick={() => setIsAskedAgain(true)}>
          Run this query again now
        </Button>
      }
    >
      <Facts facts={factsOf(run, dataset)} />
      {isAskedAgain && <SinceThen run={run} dataset={dataset} />}
      <details className="mt-3" onToggle={(event) => setIsShown(event.currentTarget.open)}>
        <summary className="w-fit cursor-pointer text-soft hover:text-ink">What it found and left out</summary>
        <div className="mt-3">{isShown && <QueryResultView result={dataset.result} isOld={false} />}</div>
      </details>
    </TitledSection>
  );
}

function factsOf(run: Run, { query, name, asked_at: askedAt, result }: DatasetOfRun): readonly (Fact | false)[] {
  const { where = [], per, columns } = query;
  return [
    [
      "Dataset",
      <Link key="dataset" className="link code" to={links.dataset(query, { network: run.network?.id })}>
        {query.location}
      </Link>,
    ],
    query.pattern !== undefined && ["File names", query.pattern],
    name !== null && ["Saved query", name],
    [
      "Query",
      <span key="query" title={writeConditions(where)}>
        {where.length === 0 ? "All files" : conditionsInWords(where)}; one sample for each {unitInWords(per)}
      </span>,
    ],
    ["Columns", columns.map(columnInWords).join("; ")],
    [
      "Queried",
      <span key="queried">
        <TimeAgo time={askedAt} />
        {askedAt !== run.created_at && <span className="text-soft"> for an earlier run</span>}
      </span>,
    ],
    ["Found", foundText(run, result)],
    ["Left out", `${countText(result.samples_left_out, "sample")}, ${countText(result.files_left_out, "file")}`],
  ];
}

/** An open run does not have all of its samples yet. */
function foundText(run: Run, { samples }: QueryResult): string {
  const all = countText(samples.length, "sample");
  const inRun = new Set(run.samples);
  const used = samples.filter(({ name }) => inRun.has(name)).length;
  return used === samples.length || !STATE_LOOKS[run.state].final || sampleTotal(run) === undefined
    ? all
    : `${all}; this run has ${numberText(used)} of them`;
}

/** The current result of a run's query, compared with the earlier one. */
function SinceThen(props: RunDatasetProps) {
  const now = useQuery(datasetResultQuery(props.dataset.query));
  return (
    <div className="mt-3" aria-live="polite">
      <QueryView query={now}>{(result) => <Changes {...props} now={result} />}</QueryView>
    </div>
  );
}

function Changes({ run, dataset, now }: RunDatasetProps & { readonly now: QueryResult }) {
  const changes = useMemo(() => compareResults(dataset.result, now), [dataset, now]);
  const total = countText(now.samples.length, "sample");
  if (changes.length === 0) return <p>Now the query finds the same: {total}.</p>;
  const fresh = changes.filter(({ kind }) => kind === "new").map(({ name }) => name);
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p>
          Now the query finds {total}: {countsText(changes)}.
        </p>
        <StartNew run={run} state={{ datasetQuery: dataset.query, samples: fresh }} />
      </div>
      <ValueGrid
        label="Changes since then"
        columns={COLUMNS}
        rows={changes.length}
        rowAt={(row) => changes[row]}
        shown={8}
      />
    </div>
  );
}

function StartNew({ run, state }: Pick<RunDatasetProps, "run"> & { readonly state: Required<QueryState> }) {
  const mayRun = useRights().has("runner");
  if (!mayRun || run.network === undefined || state.samples.length === 0) return null;
  return (
    <Link className="btn btn-small" to={links.network({ id: run.network.id }, { tab: "run" })} state={state}>
      Start a run with {countText(state.samples.length, "new sample")}
    </Link>
  );
}

function countsText(changes: readonly SampleChange[]): string {
  const counts = Map.groupBy(changes, ({ kind }) => kind);
  return [...counts].map(([kind, { length }]) => `${numberText(length)} ${KIND_WORDS[kind]}`).join(", ");
}

function reasonText({ kind, reason }: SampleChange): string {
  if (kind === "changed") return "other files, sizes or times";
  if (reason === "") return kind === "new" ? "" : "its files no longer exist";
  return kind === "new" ? `left out then: ${reason}` : reason;
}
