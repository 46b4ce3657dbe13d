import { countText, numberText } from "../../format/count-text.ts";
import { Icon } from "../../ui/icon.tsx";
import type { LineageBox } from "./draw-lineage.ts";
import type { FoldedNode } from "./fold-lineage.ts";

export interface LineageNodeProps {
  readonly box: LineageBox;
  readonly selected: boolean;
  readonly dimmed: boolean;
  /** With Tab. */
  readonly reachable: boolean;
  readonly onFocus: () => void;
  readonly onPress: () => void;
}

/** Files are round, jobs have a bar at their left; both are buttons. */
export function LineageNode({ box, selected, dimmed, reachable, onFocus, onPress }: LineageNodeProps) {
  const { node } = box;
  return (
    <button
      type="button"
      data-path={box.path}
      tabIndex={reachable ? 0 : -1}
      {...(node.kind === "network" ? { "aria-expanded": false } : { "aria-pressed": selected })}
      title={titleOf(node)}
      className={`absolute flex items-center gap-2 border text-left leading-snug hover:border-accent ${lookOf(node, { selected, dimmed })}`}
      style={{ left: box.x, top: box.y, width: box.width, height: box.height }}
      onFocus={onFocus}
      onClick={onPress}
    >
      {node.kind === "files" && <Icon name="file" className="size-4 shrink-0 text-soft" />}
      <NodeFace node={node} />
      {node.kind === "network" && <Icon name="plus" className="size-3.5 shrink-0" />}
    </button>
  );
}

function lookOf(node: FoldedNode, { selected, dimmed }: Pick<LineageNodeProps, "selected" | "dimmed">): string {
  const shape = node.kind === "files" ? "rounded-full px-4" : "rounded-lg border-l-4 px-2.5";
  if (selected) return `${shape} border-accent bg-surface ring-3 ring-accent/40`;
  if (node.failed > 0) return `${shape} border-failed bg-failed-soft`;
  return `${shape} ${dimmed ? "border-line bg-canvas text-soft" : "border-edge/70 bg-surface"}`;
}

function NodeFace({ node }: { readonly node: FoldedNode }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="flex gap-2">
        <span className="sr-only">{node.kind === "files" ? "Files: " : "Jobs: "}</span>
        <span className="min-w-0 truncate font-medium">{node.label}</span>
        {node.kind !== "files" && node.count > 1 && (
          <span className="ml-auto shrink-0 text-[0.8125rem] text-soft tabular-nums">×{numberText(node.count)}</span>
        )}
        {node.outputs.length > 0 && (
          <span className="ml-auto shrink-0 rounded bg-accent-soft px-1 text-[0.75rem] font-semibold text-accent">
            output
          </span>
        )}
      </span>
      <span className="block truncate text-[0.8125rem] text-soft">
        {node.failed > 0 && <span className="text-failed">{node.failed} failed </span>}
        {node.detail}
      </span>
    </span>
  );
}

function titleOf({ kind, label, detail, count, outputs }: FoldedNode): string {
  const what = kind === "files" ? `${label}: ${detail}` : `${label}: ${countText(count, "job")}, ${detail}`;
  return outputs.length === 0 ? what : `${what}; output ${outputs.join(", ")} of the run`;
}
