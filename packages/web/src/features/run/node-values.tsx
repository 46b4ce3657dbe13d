import type { GraphNodeRecord } from "@weft/shared/records/process-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { ReactNode } from "react";
import { FileLink } from "../../components/file-link.tsx";
import { ValueView, type ValueViewProps } from "../../components/value-view.tsx";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { TitledSection } from "../../ui/titled-section.tsx";
import { PartialOutputs, PartialValue } from "./partial-outputs.tsx";
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

function OutputValue({ run, id }: { readonly run: Run; readonly id: string }): ReactNode {
  if (run.partial)
    return (
      <PartialOutputs run={run}>
        {(produced) => (
          <PartialValue output={id} produced={produced} value={produced.outputs?.[id]} renderFile={renderFile} />
        )}
      </PartialOutputs>
    );
  if (run.outputs !== null) return <ValueView value={run.outputs[id]} renderFile={renderFile} />;
  return (
    <p className="text-soft">
      {STATE_LOOKS[run.state].final ? "No outputs: no job succeeded." : "Available when the run finishes."}
    </p>
  );
}
