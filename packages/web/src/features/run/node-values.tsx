import type { GraphNodeRecord } from "@weft/shared/records/process-record.ts";
import type { Run, RunOutputs } from "@weft/shared/records/run-record.ts";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { runOutputsQuery } from "../../api/queries/run-queries.ts";
import { FileLink } from "../../components/file-link.tsx";
import { LongList, ValueView, type ValueViewProps } from "../../components/value-view.tsx";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { MissingMark, MissingNote, PartialNote } from "./partial-outputs.tsx";
import { WholeRun } from "./whole-run.tsx";

const renderFile: ValueViewProps["renderFile"] = (file) => <FileLink file={file} />;

/** The value of the input or output of a run that is selected in its graph. */
export default function NodeValues({ run, node }: { readonly run: Run; readonly node: GraphNodeRecord }) {
  const id = node.id.slice(node.kind.length + 1);
  return (
    <TitledSection title={`${node.kind === "input" ? "Input" : "Output"} ${node.label}`} card>
      <WholeRun run={run} part={node.kind === "input" ? "inputs" : "outputs"}>
        {(whole) =>
          node.kind === "input" ? <InputValue value={whole.inputs?.[id]} /> : <OutputValue run={whole} id={id} />
        }
      </WholeRun>
    </TitledSection>
  );
}

function InputValue({ value }: { readonly value: unknown }) {
  return value === undefined || value === null ? (
    <p className="text-soft">Not set (default, if any).</p>
  ) : (
    <ValueView value={value} renderFile={renderFile} />
  );
}

function OutputValue({ run, id }: { readonly run: Run; readonly id: string }) {
  const query = useQuery({ ...runOutputsQuery(run.run_id), enabled: run.partial });
  if (run.partial)
    return (
      <div className="space-y-3">
        <PartialNote run={run} isTruncated={query.data?.truncated === true} />
        <QueryView query={query} rows={8}>
          {(produced) => <PartialValue output={id} produced={produced} />}
        </QueryView>
      </div>
    );
  if (run.outputs !== null) return <ValueView value={run.outputs[id]} renderFile={renderFile} />;
  return (
    <p className="text-soft">
      {STATE_LOOKS[run.state].final ? "No outputs: no job succeeded." : "Available when the run finishes."}
    </p>
  );
}

/** The value of one output; names the samples of missing elements. */
function PartialValue({ output, produced }: { readonly output: string; readonly produced: RunOutputs }) {
  const value = produced.outputs?.[output];
  const missing = produced.missing.filter((entry) => entry.output === output);
  const byPlace = new Map(missing.map((entry) => [entry.index.join(), entry]));
  const show = (part: unknown, index: readonly number[]): ReactNode => {
    const lack = part === null ? byPlace.get(index.join()) : undefined;
    if (lack !== undefined) return <MissingMark entry={lack} />;
    if (!Array.isArray(part)) return <ValueView value={part} renderFile={renderFile} />;
    return <LongList values={part} renderItem={(item, place) => show(item, [...index, place])} />;
  };
  return (
    <>
      <MissingNote missing={missing} />
      {(value !== null || missing.length === 0 || byPlace.has("")) && show(value, [])}
    </>
  );
}
