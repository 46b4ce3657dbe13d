import type { Network } from "@weft/shared/records/process-record.ts";
import type { ReactNode } from "react";
import { findGraphNode } from "@weft/shared/drawing/graph-node-path.ts";
import { DocText } from "../../components/markdown/doc-text.tsx";
import { Facts } from "../../ui/facts.tsx";
import { StepDetail } from "./step-detail.tsx";

export interface SelectedNodeProps {
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
    <section aria-labelledby="node-title" className="card p-4">
      <h2 id="node-title">{node.label}</h2>
      {declared?.doc !== undefined && <DocText text={declared.doc} />}
      <div className="mt-3">
        <Facts
          facts={[
            ["Kind", node.kind],
            ...(node.type_text === undefined
              ? []
              : [
                  [
                    "Type",
                    <code key="type" className="code">
                      {node.type_text}
                    </code>,
                  ] as const,
                ]),
            ...(node.class === undefined ? [] : [["Class", node.class] as const]),
          ]}
        />
      </div>
    </section>
  );
}
