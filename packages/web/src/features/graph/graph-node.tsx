import type { NodeBox } from "@weft/shared/drawing/draw-network.ts";
import { NOTE_HEIGHT, PORT_ROW, type PlacedPort, type PlacedPorts } from "@weft/shared/drawing/place-ports.ts";
import { numberText } from "@weft/shared/text/count-text.ts";
import { memo, type ReactNode } from "react";
import { STATE_LOOKS, type StateTone } from "../../format/state-look.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ProgressRing } from "./progress-ring.tsx";
import type { StepProgress } from "./step-progress.ts";

interface GraphNodeProps {
  readonly box: NodeBox;
  readonly selected: boolean;
  /** True if the node is one of several chosen steps. */
  readonly chosen: boolean;
  readonly dimmed: boolean;
  /** Id of the card with its ports while the card is shown. */
  readonly describedBy: string | undefined;
  readonly progress: StepProgress | undefined;
  /** One object for all renders, so that a node renders again only when it changes itself. */
  readonly actions: { readonly current: NodeActions };
}

/** Actions of the nodes. */
export interface NodeActions {
  /** Selects a node. `adds`: adds it to the chosen nodes. */
  readonly select: (path: string, adds: boolean) => void;
  /** Folds or unfolds a nested network. */
  readonly toggle: (path: string) => void;
  /** Called when the keyboard brings the focus to a node. */
  readonly focused: (box: NodeBox) => void;
  /** Called when the pointer rests on a node or leaves it. */
  readonly pointed: (path: string) => void;
}

/** Dims nodes that are unrelated to the selected one without transparency, which would reduce the contrast. */
const DIMMED = "border-line bg-canvas text-soft hover:border-accent";

const BORDER: Readonly<Record<StateTone, string>> = {
  queued: "border-edge/60",
  running: "border-running",
  paused: "border-paused",
  success: "border-success/60",
  failed: "border-failed bg-failed-soft",
  canceled: "border-canceled",
  preempted: "border-preempted",
};

/** One node: a real button, for keyboard and screen reader. */
export const GraphNode = memo(function GraphNode(props: GraphNodeProps) {
  const { box, dimmed, actions } = props;
  const place = { left: box.x, top: box.y, width: box.width, height: box.height };
  if (box.expanded) return <Frame {...props} />;
  return (
    <div
      className={`absolute ${dimmed ? "grayscale" : ""}`}
      style={place}
      onPointerEnter={() => actions.current.pointed(box.path)}
      onPointerLeave={() => actions.current.pointed("")}
    >
      <NodeButton {...props} className={`size-full border text-left ${lookOf(props)}`}>
        <Face {...props} />
      </NodeButton>
      {props.chosen && <ChosenMark />}
      {box.node.graph !== undefined && (
        <IconButton
          label={`Show the steps inside ${box.node.label}`}
          icon="plus"
          look="bare"
          iconClass="size-3.5"
          className="absolute -top-3 -right-3 flex size-7 items-center justify-center rounded-full border border-edge bg-surface hover:bg-accent-soft"
          onClick={() => actions.current.toggle(box.path)}
        />
      )}
    </div>
  );
});

function ChosenMark() {
  return (
    <span className="pointer-events-none absolute -top-2.5 -left-2.5 flex size-5 items-center justify-center rounded-full bg-accent text-canvas">
      <Icon name="check" className="size-3.5" />
    </span>
  );
}

function lookOf({ box, selected, chosen, dimmed, progress }: GraphNodeProps): string {
  const shape = box.node.kind === "step" ? "rounded-lg px-2.5" : "rounded-full px-3.5";
  if (dimmed && !chosen) return `${shape} ${DIMMED}`;
  const state =
    progress === undefined ? "border-edge/60 bg-surface" : `bg-surface ${BORDER[STATE_LOOKS[progress.state].tone]}`;
  if (chosen) return `${shape} border-accent bg-accent-soft ring-3 ring-accent shadow-xs`;
  return `${shape} ${selected ? "border-accent bg-surface ring-3 ring-accent/40" : state} shadow-xs hover:border-accent`;
}

type NodeButtonProps = GraphNodeProps & { readonly className: string; readonly children: ReactNode };

function NodeButton({ box, selected, chosen, describedBy, actions, className, children }: NodeButtonProps) {
  return (
    <Button
      look="bare"
      aria-pressed={selected || chosen}
      aria-describedby={describedBy}
      data-path={box.path}
      onClick={(event) => actions.current.select(box.path, event.shiftKey || event.ctrlKey || event.metaKey)}
      onFocus={(event) => event.currentTarget.matches(":focus-visible") && actions.current.focused(box)}
      onBlur={() => actions.current.pointed("")}
      className={className}
    >
      {children}
    </Button>
  );
}

/** An expanded network: a band with its name above the area with its steps. */
function Frame(props: GraphNodeProps) {
  const { box, selected, chosen, dimmed, progress, actions } = props;
  const { x, y, width, height, node } = box;
  return (
    <div
      className={`pointer-events-none! absolute overflow-clip rounded-xl border bg-accent-soft/25 ${selected || chosen ? "border-accent ring-3 ring-accent/40" : "border-edge/70"}`}
      style={{ left: x, top: y, width, height }}
    >
      <div
        className={`pointer-events-auto flex h-10 items-center gap-2 border-b border-line bg-surface px-2 ${dimmed ? "grayscale" : ""}`}
      >
        <NodeButton {...props} className="flex min-w-0 items-center gap-2 rounded px-1 hover:text-accent">
          <span className="truncate font-semibold">{node.label}</span>
          <StepMarks box={box} progress={progress} />
          {progress !== undefined && (
            <span className="text-[13px] text-soft tabular-nums">{progressText(progress)}</span>
          )}
          {progress !== undefined && <ProgressRing progress={progress} />}
        </NodeButton>
        <IconButton
          label={`Collapse ${node.label}`}
          icon="minus"
          look="bare"
          iconClass="size-3.5"
          className="ml-auto flex size-7 shrink-0 items-center justify-center rounded-full hover:bg-accent-soft"
          onClick={() => actions.current.toggle(box.path)}
        />
      </div>
    </div>
  );
}

function Face(props: GraphNodeProps) {
  const { box } = props;
  if (box.node.kind !== "step") return <PortFace box={box} />;
  if (box.ports === undefined) return <StepFace {...props} />;
  return (
    <span className="flex h-full flex-col">
      <span className="block h-[3.75rem] content-center">
        <StepFace {...props} />
      </span>
      <PortRows ports={box.ports} />
      {box.ports.note !== undefined && <Note text={box.ports.note} />}
    </span>
  );
}

/** The beginning of a note; the panel of the step shows all of it. */
function Note({ text }: { readonly text: string }) {
  return (
    <span
      className="-mx-2.5 flex items-center rounded-b-lg border-t border-line bg-paused-soft px-2.5 text-[13px] leading-[18px]"
      style={{ height: NOTE_HEIGHT }}
    >
      <span className="sr-only">Note: </span>
      <span className="line-clamp-2 wrap-anywhere">{text}</span>
    </span>
  );
}

function StepFace({ box, progress }: GraphNodeProps) {
  return (
    <span className="flex items-center gap-2.5">
      <span className="min-w-0 flex-1 leading-snug">
        <span className="flex items-center gap-1.5">
          <span className="truncate text-[14px] font-semibold">{box.node.label}</span>
          <StepMarks box={box} progress={progress} />
        </span>
        <span className="flex gap-2 text-[13px] text-soft">
          <span className="min-w-0 truncate">{box.node.process_label ?? kindOf(box)}</span>
          {progress !== undefined && <StepCount progress={progress} />}
        </span>
      </span>
      {progress !== undefined && <ProgressRing progress={progress} />}
    </span>
  );
}

function StepCount({ progress }: { readonly progress: StepProgress }) {
  const failed = progress.counts.EXECUTOR_ERROR ?? 0;
  return (
    <span className="ml-auto flex shrink-0 items-center gap-1.5 tabular-nums">
      {failed > 0 && progress.total > 1 && <span className="text-failed">{failed} failed</span>}
      {progress.cached > 0 && <CachedMark count={progress.cached} />}
      {progressText(progress)}
    </span>
  );
}

function progressText({ done, total, totalIsFinal }: StepProgress): string {
  return total === 0 ? "not started" : `${numberText(done)}/${numberText(total)}${totalIsFinal ? "" : "+"}`;
}

function CachedMark({ count }: { readonly count: number }) {
  const text = count === 1 ? "1 job reused an earlier result" : `${numberText(count)} jobs reused earlier results`;
  return (
    <span title={text} className="inline-flex items-center gap-0.5">
      <Icon name="cached" className="size-3" />
      <span aria-hidden="true">{numberText(count)}</span>
      <span className="sr-only">{text}</span>
    </span>
  );
}

/** Marks of scattered, looping and conditional steps, with the number of jobs if known. */
function StepMarks({ box: { node }, progress }: Pick<GraphNodeProps, "box" | "progress">) {
  const count = progress === undefined || progress.widest === 0 ? "N" : numberText(progress.widest);
  const marks = [
    ...(node.scatter === true ? [{ sign: `×${count}`, word: "scattered", title: "Scattered: one job per item" }] : []),
    ...(node.loop === true ? [{ sign: "↻", word: "loops", title: "Loops: repeats while its condition is true" }] : []),
    ...(node.conditional === true
      ? [{ sign: "?", word: "conditional", title: "Runs only if its condition is true" }]
      : []),
  ];
  if (marks.length === 0) return null;
  return (
    <span className="ml-auto flex gap-1">
      {marks.map(({ sign, word, title }) => (
        <span key={word} title={title} className="rounded bg-accent-soft px-1 text-[13px] font-semibold text-accent">
          <span aria-hidden="true">{sign}</span>
          <span className="sr-only"> {word}</span>
        </span>
      ))}
    </span>
  );
}

function PortFace({ box }: { readonly box: NodeBox }) {
  return (
    <span className="flex items-center gap-1.5 text-[13px]">
      <span className="min-w-0 truncate">
        <span className="sr-only">{box.node.kind} </span>
        {box.node.label}
      </span>
      <span className="ml-auto max-w-1/2 shrink-0 truncate text-soft">{box.node.type_text}</span>
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

/** The names of a step's ports in two columns, at the places of their dots. */
function PortRows({ ports }: { readonly ports: PlacedPorts }) {
  return (
    <span className="grid min-h-0 flex-1 grid-cols-2 gap-2 border-t border-line text-[13px]">
      <Column title="Inputs" ports={ports.inputs} hidden={ports.hiddenInputs} />
      <Column title="Outputs" ports={ports.outputs} hidden={ports.hiddenOutputs} />
    </span>
  );
}

interface ColumnProps {
  readonly title: "Inputs" | "Outputs";
  readonly ports: readonly PlacedPort[];
  readonly hidden: number;
}

function Column({ title, ports, hidden }: ColumnProps) {
  const row = `block truncate ${title === "Outputs" ? "text-right" : ""}`;
  const style = { height: PORT_ROW, lineHeight: `${PORT_ROW}px` };
  return (
    <span className="min-w-0">
      {ports.length > 0 && <span className="sr-only">{title}: </span>}
      {ports.map(({ name, typeText, isMissing }) => (
        <span key={name} className={row} style={style} title={`${name}: ${typeText}`}>
          <span className={isMissing ? "font-semibold text-failed" : ""}>{name}</span>
          {isMissing && <span className="sr-only"> (not connected)</span>}
          <span className="sr-only">, </span>
        </span>
      ))}
      {hidden > 0 && (
        <span className={`${row} text-soft`} style={style}>
          {hidden} more
        </span>
      )}
    </span>
  );
}
