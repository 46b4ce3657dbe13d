import { useQuery } from "@tanstack/react-query";
import type { RunLineage } from "@weft/shared/records/lineage-record.ts";
import { useMemo, useState } from "react";
import { runLineageQuery } from "../../api/lineage-queries.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { foldLineage, type FoldedLineage, type FoldedNode } from "./fold-lineage.ts";
import { LinkedRuns } from "./linked-runs.tsx";

const DEPTHS = ["1", "2", "3", "5"];

/** A run as a graph of its steps, folded, and the runs before and after it. */
export function LineageGraph({ runId }: { readonly runId: string }) {
  const [depth, setDepth] = useSearchParam("depth");
  const lineage = useQuery(runLineageQuery(runId, Number(depth || "1")));
  return (
    <TitledSection
      title="How it hangs together"
      aside={
        <label className="flex items-center gap-2 text-[0.8125rem]">
          Runs before and after
          <select className="input w-auto" value={depth || "1"} onChange={(event) => setDepth(event.target.value)}>
            {DEPTHS.map((text) => (
              <option key={text}>{text}</option>
            ))}
          </select>
        </label>
      }
    >
      <QueryView query={lineage}>
        {(data) => (
          <div className="space-y-4">
            <StepGraph lineage={data} />
            <LinkedRuns lineage={data} />
          </div>
        )}
      </QueryView>
    </TitledSection>
  );
}

const WIDTH = 190;
const HEIGHT = 62;
const GAP_X = 70;
const GAP_Y = 22;
const EDGE = 8;

const leftOf = ({ column }: FoldedNode) => EDGE + column * (WIDTH + GAP_X);
const topOf = ({ row }: FoldedNode) => EDGE + row * (HEIGHT + GAP_Y);

function StepGraph({ lineage }: { readonly lineage: RunLineage }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const graph = useMemo(() => foldLineage(lineage, open), [lineage, open]);
  const width = Math.max(...graph.nodes.map(leftOf)) + WIDTH + EDGE;
  const height = Math.max(...graph.nodes.map(topOf)) + HEIGHT + EDGE;
  return (
    <div
      className="card max-h-[70vh] overflow-auto"
      tabIndex={0}
      role="region"
      aria-label="Steps and the files between them"
    >
      <div className="relative" style={{ width, height }}>
        <svg className="absolute inset-0 text-edge" width={width} height={height} aria-hidden="true">
          <Edges graph={graph} />
        </svg>
        {graph.nodes.map((node) => (
          <StepNode key={node.id} node={node} onOpen={(path) => setOpen(new Set([...open, path]))} />
        ))}
      </div>
      {open.size > 0 && (
        <button type="button" className="btn btn-small m-2" onClick={() => setOpen(new Set())}>
          Fold all networks
        </button>
      )}
    </div>
  );
}

function Edges({ graph: { nodes, edges } }: { readonly graph: FoldedLineage }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return edges.map((edge) => {
    const [source, target] = [byId.get(edge.from), byId.get(edge.to)];
    if (source === undefined || target === undefined) return null;
    const [x1, y1] = [leftOf(source) + WIDTH, topOf(source) + portOf(edge, "from", edges)];
    const [x2, y2] = [leftOf(target), topOf(target) + portOf(edge, "to", edges)];
    const bend = (x2 - x1) / 2;
    return (
      <g key={`${edge.from} ${edge.to}`}>
        <path
          d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
        />
        <text x={x2 - 5} y={y2 - 3} textAnchor="end" fontSize="11" className="fill-soft">
          {edge.files}
        </text>
      </g>
    );
  });
}

type Edge = FoldedLineage["edges"][number];

/** The lines at one side of a node are spread over its height. */
function portOf(edge: Edge, side: "from" | "to", edges: readonly Edge[]): number {
  const beside = edges.filter((other) => other[side] === edge[side]);
  return (HEIGHT * (beside.indexOf(edge) + 1)) / (beside.length + 1);
}

function StepNode({ node, onOpen }: { readonly node: FoldedNode; readonly onOpen: (path: string) => void }) {
  const { label, detail, jobs, failed, folded } = node;
  const tone = failed > 0 ? "border-failed" : "border-edge/60";
  return (
    <div
      className={`absolute rounded-lg border bg-surface px-3 py-1.5 ${tone}`}
      style={{ left: leftOf(node), top: topOf(node), width: WIDTH, height: HEIGHT }}
    >
      <p className="flex gap-2">
        <span className="min-w-0 truncate font-medium" title={label}>
          {label}
        </span>
        {jobs > 1 && <span className="ml-auto text-soft tabular-nums">×{jobs}</span>}
      </p>
      <p className="truncate text-[0.8125rem] text-soft">
        {failed > 0 && <span className="text-failed">{failed} failed </span>}
        {folded === undefined ? (
          detail
        ) : (
          <button type="button" className="link" onClick={() => onOpen(folded)}>
            {detail}
          </button>
        )}
      </p>
    </div>
  );
}
