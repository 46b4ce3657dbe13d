import type { GraphNodeRecord, GraphRecord } from "@weft/shared/records/process-record.ts";
import { graphNodePath } from "../../components/graph-node-path.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { StateIcon, TONE_TEXT } from "../../ui/state-badge.tsx";
import type { StepProgress } from "./step-progress.ts";

export interface StepListProps {
  readonly graph: GraphRecord;
  readonly selected: string;
  readonly onSelect: (path: string) => void;
  readonly progressOf: (step: string | undefined) => StepProgress | undefined;
}

/** The graph as a list: the way to it by keyboard and screen reader. */
export function StepList(props: StepListProps) {
  return (
    <nav aria-label="Steps" className="card max-h-[min(34rem,70vh)] overflow-y-auto p-2">
      <h2 className="label-caps px-2 pt-1 pb-1.5">Steps</h2>
      <StepLevel {...props} prefix="" />
    </nav>
  );
}

function StepLevel({ prefix, ...props }: StepListProps & { readonly prefix: string }) {
  const steps = props.graph.nodes.filter((node) => node.kind === "step");
  return (
    <ul className={prefix === "" ? "" : "ml-3 border-l border-line pl-1"}>
      {steps.map((node) => (
        <li key={node.id}>
          <StepButton node={node} path={graphNodePath(node, prefix)} {...props} />
          {node.graph !== undefined && (
            <StepLevel {...props} graph={node.graph} prefix={`${graphNodePath(node, prefix)}/`} />
          )}
        </li>
      ))}
    </ul>
  );
}

function StepButton({
  node,
  path,
  selected,
  onSelect,
  progressOf,
}: StepListProps & { readonly node: GraphNodeRecord; readonly path: string }) {
  const progress = progressOf(node.step);
  return (
    <button
      type="button"
      aria-pressed={path === selected}
      onClick={() => onSelect(path)}
      className="flex min-h-8 w-full items-center gap-2 rounded-md px-2 text-left -outline-offset-2 hover:bg-sunken aria-pressed:bg-accent-soft aria-pressed:text-accent max-md:min-h-11"
    >
      {progress !== undefined && (
        <span className={TONE_TEXT[STATE_LOOKS[progress.state].tone]}>
          <StateIcon state={progress.state} />
          <span className="sr-only">{STATE_LOOKS[progress.state].word}</span>
        </span>
      )}
      <span className="min-w-0 flex-1 truncate">{node.label}</span>
      {progress !== undefined && progress.total > 0 && (
        <span className="text-[0.75rem] text-soft tabular-nums">
          {progress.done}/{progress.total}
        </span>
      )}
      {node.scatter === true && progress === undefined && <span className="text-[0.75rem] text-soft">scattered</span>}
    </button>
  );
}
