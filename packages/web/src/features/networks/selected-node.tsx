import { findGraphNode } from "@weft/shared/drawing/graph-node-path.ts";
import type { Network, StepRecord } from "@weft/shared/records/process-record.ts";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { DocText } from "../../components/markdown/markdown-view.tsx";
import { links } from "../../format/links.ts";
import { valueText } from "../../format/value-text.ts";
import { Code } from "../../ui/code-block.tsx";
import { type Fact, Facts, TitledSection } from "../../ui/titled-section.tsx";

interface SelectedNodeProps {
  readonly network: Network;
  /** Path of the selected node within the graph. */
  readonly path: string;
}

/** Details of the selected node of a network's graph. */
export function SelectedNode({ network, path }: SelectedNodeProps): ReactNode {
  const step = network.steps.find(({ id }) => id === path);
  if (step !== undefined) return <StepDetail step={step} />;
  const node = findGraphNode(network.graph, path);
  if (node === undefined) return <p className="text-soft">Select a step to see details.</p>;
  const declared = (node.kind === "input" ? network.inputs : network.outputs).find(
    ({ id }) => path === `${node.kind}:${id}`,
  );
  return (
    <TitledSection card title={node.label}>
      {declared?.doc !== undefined && <DocText text={declared.doc} />}
      <div className="mt-3">
        <Facts
          facts={[
            ["Kind", node.kind],
            node.type_text !== undefined && ["Type", <Code key="type">{node.type_text}</Code>],
            node.class !== undefined && ["Class", node.class],
          ]}
        />
      </div>
    </TitledSection>
  );
}

/** Details of one step of a network. */
function StepDetail({ step }: { readonly step: StepRecord }) {
  return (
    <TitledSection card title={step.label ?? step.id}>
      {step.doc !== undefined && <DocText text={step.doc} />}
      <div className="mt-3 grid gap-x-8 gap-y-4 md:grid-cols-2">
        <Facts facts={factsOf(step)} />
        <div className="space-y-4">
          <LinkList title="Inputs" links={step.in} />
          {step.loop !== undefined && <LinkList title="From the previous iteration" links={step.loop.inputs} />}
        </div>
      </div>
    </TitledSection>
  );
}

type StepLink = StepRecord["in"][number];

function LinkList({ title, links }: { readonly title: string; readonly links: readonly StepLink[] }) {
  return (
    <div>
      <h3 className="mb-1">{title}</h3>
      {links.length === 0 && <p className="text-soft">none</p>}
      <ul className="space-y-1">
        {links.map((link) => (
          <li key={link.id}>
            <span className="font-medium">{link.id}</span> <span className="text-soft">{sourceText(link)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Facts about a step in the order of evaluation: its condition, its repetitions and its outputs. */
function factsOf(step: StepRecord): readonly (Fact | false)[] {
  const method = step.scatter_method === undefined ? "" : ` (${step.scatter_method})`;
  return [
    ["Runs", <RunLink key="run" step={step} />],
    step.scatter.length > 0 && ["Scatter", `${step.scatter.join(", ")}${method}`],
    step.when !== undefined && ["Condition", <Code key="when">{step.when}</Code>],
    step.loop?.when !== undefined && ["Loop while", <Code key="while">{step.loop.when}</Code>],
    ["Outputs", outputsText(step)],
  ];
}

function outputsText({ out, loop }: StepRecord): string {
  if (out.length === 0) return "none";
  if (loop === undefined) return out.join(", ");
  return `${out.join(", ")} (${loop.output_method === "all" ? "a list from all iterations" : "from the last iteration"})`;
}

function RunLink({ step: { run } }: { readonly step: StepRecord }) {
  const text = [run.id ?? run.label ?? "inline process", run.version ?? ""].join(" ").trim();
  if (run.id === undefined || run.kind === "inline")
    return (
      <>
        {text} ({run.class})
      </>
    );
  return (
    <Link className="link" to={links.process({ kind: run.kind, id: run.id, version: run.version })}>
      {text}
    </Link>
  );
}

function sourceText(input: StepLink): string {
  const parts: string[] = [];
  if (input.source.length > 0) parts.push(`← ${input.source.join(", ")}`);
  if (input.default !== undefined) parts.push(`default ${valueText(input.default)}`);
  if (input.value_from !== undefined) parts.push(`= ${input.value_from}`);
  return parts.join("; ");
}
