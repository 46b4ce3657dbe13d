import { useState } from "react";
import { countText } from "@weft/shared/text/count-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Input, Select, Field } from "../../../ui/field.tsx";
import type { NodeView, PortView } from "../language/plan-action.ts";
import { RenameDialog } from "../rename-dialog.tsx";
import { NoteField, OtherText, trimmed, useTyped } from "./note-field.tsx";
import { PortField } from "./port-field.tsx";
import type { DrawingActions } from "./use-drawing-actions.ts";

interface NodePanelProps {
  readonly node: NodeView;
  readonly actions: DrawingActions;
  readonly onClose: () => void;
}

const KINDS = { step: "Step", input: "Network input", output: "Network output" } as const;

/** The selected node: its name, connections and actions. */
export function NodePanel({ node, actions, onClose }: NodePanelProps) {
  return (
    <section aria-labelledby="node-title" className="card space-y-3 p-4">
      <div className="flex items-baseline gap-2">
        <h2 id="node-title" className="code min-w-0 wrap-anywhere">
          {node.name}
        </h2>
        <span className="text-small text-soft">
          {KINDS[node.kind]}
          {node.kind === "step" ? `, runs ${node.runs}` : ` of type ${node.typeText}`}
        </span>
      </div>
      <NodeButtons node={node} actions={actions} onClose={onClose} />
      <LabelField node={node} actions={actions} />
      <NoteField
        label="Note"
        note={node.doc}
        onChange={(value, isLate) =>
          actions.type({ kind: "field", of: node.kind, name: node.name, field: "doc", value }, isLate)
        }
      />
      {node.kind === "step" && <StepPorts node={node} actions={actions} />}
      {node.kind === "output" && (
        <PortField port={node.port} target={{ output: node.name }} step={undefined} actions={actions} />
      )}
    </section>
  );
}

function NodeButtons({ node, actions, onClose }: NodePanelProps) {
  const [isRenaming, setIsRenaming] = useState(false);
  const { kind, name } = node;
  return (
    <div className="flex flex-wrap gap-2">
      <Button small onClick={() => setIsRenaming(true)}>
        Rename
      </Button>
      <Button small onClick={() => actions.act({ kind: "duplicate", of: kind, name })}>
        Duplicate
      </Button>
      {kind === "step" && node.isGroup && (
        <Button small onClick={() => actions.act({ kind: "ungroup", step: name })}>
          Ungroup
        </Button>
      )}
      <Button small onClick={() => actions.change({ kind: "remove", of: kind, name })}>
        Delete
      </Button>
      <Button look="quiet" small className="ml-auto" onClick={onClose}>
        Close
      </Button>
      {isRenaming && <RenameDialog name={name} onRename={actions.rename} onClose={() => setIsRenaming(false)} />}
    </div>
  );
}

function LabelField({ node, actions }: Pick<NodePanelProps, "node" | "actions">) {
  const { kind, name, label = "" } = node;
  const { field, theirs } = useTyped(label, trimmed, (text, isLate) =>
    actions.type({ kind: "field", of: kind, name, field: "label", value: text || undefined }, isLate),
  );
  return (
    <>
      <Field label="Label" isSmall>
        <Input
          {...field}
          autoComplete="off"
          onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
        />
      </Field>
      <OtherText of={theirs} />
    </>
  );
}

interface StepPortsProps {
  readonly node: Extract<NodeView, { readonly kind: "step" }>;
  readonly actions: DrawingActions;
}

function StepPorts({ node, actions }: StepPortsProps) {
  const { ports } = node;
  const isUsed = ({ isRequired, sources, value, isComputed }: PortView): boolean =>
    isRequired || sources.length > 0 || value !== undefined || isComputed;
  const others = ports.filter((port) => !isUsed(port));
  return (
    <>
      <h3>Inputs</h3>
      {ports.length === 0 && <p className="text-soft">This step has no inputs.</p>}
      <PortFields node={node} ports={ports.filter(isUsed)} actions={actions} />
      <ScatterMethodField node={node} actions={actions} />
      {others.length > 0 && (
        <details className="space-y-2">
          <summary className="cursor-pointer text-soft">{countText(others.length, "optional input")}</summary>
          <PortFields node={node} ports={others} actions={actions} />
        </details>
      )}
      <StepOutputs node={node} actions={actions} />
    </>
  );
}

function PortFields({ node, ports, actions }: StepPortsProps & { readonly ports: readonly PortView[] }) {
  const step = node.name;
  return ports.map((port) => (
    <PortField key={port.name} port={port} target={{ step, input: port.name }} step={node} actions={actions} />
  ));
}

function StepOutputs({ node, actions }: StepPortsProps) {
  const { name: step, outputs } = node;
  return (
    <>
      <h3>Outputs</h3>
      <ul className="space-y-1">
        {outputs.map(({ name: output, typeText }) => (
          <li key={output} className="flex flex-wrap items-baseline gap-2">
            <span className="code">{output}</span>
            <span className="text-small text-soft">{typeText}</span>
            <Button
              small
              className="ml-auto"
              aria-label={`Make network output: ${output}`}
              onClick={() => actions.act({ kind: "output", step, output })}
            >
              Make network output
            </Button>
            <Button
              small
              aria-label={`Add a step after ${output}`}
              onClick={() => actions.addAfter(`${step}/${output}`)}
            >
              Add a step after
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

const SCATTER_METHODS = [
  { id: "dotproduct", label: "Pair them in order" },
  { id: "flat_crossproduct", label: "All combinations, in one list" },
  { id: "nested_crossproduct", label: "All combinations, in nested lists" },
];

/** The field for the way in which several scattered inputs are combined. */
function ScatterMethodField({ node, actions }: StepPortsProps) {
  const inputs = node.ports.filter(({ isScattered }) => isScattered).map(({ name }) => name);
  if (inputs.length < 2) return null;
  return (
    <Field label={`Items of ${inputs.join(" and ")}`} isSmall>
      <Select
        value={node.scatterMethod ?? "dotproduct"}
        options={SCATTER_METHODS}
        onChoose={(method) => actions.change({ kind: "scatter", step: node.name, inputs, method })}
      />
    </Field>
  );
}
