import { memo } from "react";
import { JobProgressBar } from "../../ui/job-progress-bar.tsx";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { Icon } from "../../ui/icon.tsx";
import { StateIcon, TONE_TEXT } from "../../ui/state-badge.tsx";
import type { NodeBox } from "./draw-network.ts";
import type { StepProgress } from "./step-progress.ts";

export interface GraphNodeProps {
  readonly box: NodeBox;
  readonly selected: boolean;
  readonly dimmed: boolean;
  readonly progress: StepProgress | undefined;
  readonly actions: NodeActions;
}

/** What a node can be asked for; one object for all nodes. */
export interface NodeActions {
  readonly select: (path: string) => void;
  /** Folds or unfolds a nested network. */
  readonly toggle: (path: string) => void;
  /** Called when the keyboard brings the focus to a node. */
  readonly focused: (box: NodeBox) => void;
}

/** Steps back from what is selected, and can still be read: transparency would take the contrast away. */
const DIMMED = "border-line bg-canvas text-soft hover:border-accent";

/** One node: a real button, so that it can be reached, read out and pressed. */
export const GraphNode = memo(function GraphNode(props: GraphNodeProps) {
  const { box, selected, dimmed, actions } = props;
  const place = { left: box.x, top: box.y, width: box.width, height: box.height };
  const ring = selected ? "border-accent ring-2 ring-accent/40" : "border-edge/60 hover:border-accent";
  if (box.expanded) {
    return (
      <div
        className={`absolute rounded-xl border-2 border-dashed bg-accent-soft/30 ${selected ? "border-accent" : "border-edge/50"}`}
        style={place}
      >
        <FrameHeader {...props} />
      </div>
    );
  }
  return (
    <div className={`absolute ${dimmed ? "grayscale" : ""}`} style={place}>
      <button
        type="button"
        aria-pressed={selected}
        data-path={box.path}
        onClick={() => actions.select(box.path)}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && actions.focused(box)}
        className={`size-full border text-left ${dimmed ? DIMMED : `bg-surface shadow-xs ${ring}`} ${box.node.kind === "step" ? "rounded-lg px-3 py-1.5" : "rounded-full px-3"}`}
      >
        {box.node.kind === "step" ? <StepFace {...props} /> : <PortFace box={box} />}
      </button>
      {box.node.graph !== undefined && (
        <button
          type="button"
          aria-label={`Show the steps inside ${box.node.label}`}
          className="absolute -top-3 -right-3 flex size-7 items-center justify-center rounded-full border border-edge bg-surface hover:bg-accent-soft"
          onClick={() => actions.toggle(box.path)}
        >
          <Icon name="plus" className="size-3.5" />
        </button>
      )}
    </div>
  );
});

function FrameHeader({ box, progress, selected, actions }: GraphNodeProps) {
  return (
    <div className="flex h-9 items-center gap-1 px-2">
      <button
        type="button"
        aria-pressed={selected}
        className="flex min-w-0 items-center gap-1.5 rounded px-1 font-semibold hover:text-accent"
        data-path={box.path}
        onClick={() => actions.select(box.path)}
        onFocus={(event) => event.currentTarget.matches(":focus-visible") && actions.focused(box)}
      >
        {progress !== undefined && <ProgressSign progress={progress} />}
        <span className="truncate">{box.node.label}</span>
        <StepMarks node={box.node} />
      </button>
      <button
        type="button"
        aria-label={`Fold ${box.node.label}`}
        className="ml-auto flex size-7 items-center justify-center rounded-full hover:bg-accent-soft"
        onClick={() => actions.toggle(box.path)}
      >
        <Icon name="minus" className="size-3.5" />
      </button>
    </div>
  );
}

function StepFace({ box, progress }: GraphNodeProps) {
  return (
    <>
      <span className="flex items-center gap-1.5">
        {progress !== undefined && <ProgressSign progress={progress} />}
        <span className="truncate font-semibold">{box.node.label}</span>
        <StepMarks node={box.node} />
      </span>
      <span className="block truncate text-[0.75rem] text-soft">{box.node.process_label ?? kindOf(box)}</span>
      {progress !== undefined && (
        <span className="flex items-center gap-2 text-[0.75rem] text-soft tabular-nums">
          <JobProgressBar counts={progress.counts} total={progress.total} className="h-1.5" />
          {progress.total === 0 ? "waits" : `${progress.done}/${progress.total}${progress.totalIsFinal ? "" : "+"}`}
          {progress.cached > 0 && <CachedMark count={progress.cached} />}
        </span>
      )}
    </>
  );
}

function ProgressSign({ progress }: { readonly progress: StepProgress }) {
  const look = STATE_LOOKS[progress.state];
  return (
    <span className={TONE_TEXT[look.tone]}>
      <StateIcon state={progress.state} className="size-4" />
      <span className="sr-only">{look.word}</span>
    </span>
  );
}

function CachedMark({ count }: { readonly count: number }) {
  const text = count === 1 ? "1 job took over an earlier result" : `${count} jobs took over earlier results`;
  return (
    <span title={text} className="inline-flex items-center gap-0.5">
      <Icon name="cached" className="size-3" />
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">{text}</span>
    </span>
  );
}

/** What a step does besides being run once. */
function StepMarks({ node }: { readonly node: NodeBox["node"] }) {
  const marks = [
    ...(node.scatter === true ? [{ sign: "×N", word: "scattered", title: "Scattered: one job for each element" }] : []),
    ...(node.loop === true ? [{ sign: "↻", word: "loops", title: "Loops: runs again while its condition holds" }] : []),
    ...(node.conditional === true
      ? [{ sign: "?", word: "conditional", title: "Runs only if its condition holds" }]
      : []),
  ];
  if (marks.length === 0) return null;
  return (
    <span className="ml-auto flex gap-1">
      {marks.map(({ sign, word, title }) => (
        <span
          key={word}
          title={title}
          className="rounded bg-accent-soft px-1 text-[0.6875rem] font-semibold text-accent"
        >
          <span aria-hidden="true">{sign}</span>
          <span className="sr-only"> {word}</span>
        </span>
      ))}
    </span>
  );
}

function PortFace({ box }: { readonly box: NodeBox }) {
  return (
    <span className="flex items-baseline gap-1.5">
      <span className="min-w-0 truncate text-[0.8125rem]">
        <span className="sr-only">{box.node.kind} </span>
        {box.node.label}
      </span>
      <span className="ml-auto max-w-1/2 shrink-0 truncate text-[0.6875rem] text-soft">{box.node.type_text}</span>
    </span>
  );
}

function kindOf(box: NodeBox): string {
  switch (box.node.class) {
    case "Workflow":
      return "Network";
    case "ExpressionTool":
      return "Expression";
    case "Operation":
      return "Operation";
    case "CommandLineTool":
    case undefined:
      return "Tool";
  }
}
