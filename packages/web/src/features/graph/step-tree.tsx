import type { GraphNodeRecord, GraphRecord } from "@weft/shared/records/process-record.ts";
import { type KeyboardEvent, type ReactNode, useDeferredValue, useMemo, useState } from "react";
import { numberText } from "@weft/shared/text/count-text.ts";
import { STATE_LOOKS } from "../../format/state-look.ts";
import { SearchField } from "../../ui/search-field.tsx";
import { StateIcon, TONES } from "../../ui/state-badge.tsx";
import { VirtualList, useVirtualList } from "../../ui/virtual-list.tsx";
import { type StepLine, type StepProgress, flattenSteps } from "./step-progress.ts";

interface StepTreeProps {
  readonly graph: GraphRecord;
  readonly selected: string;
  readonly onSelect: (path: string) => void;
  readonly progressOf: (step: string | undefined) => StepProgress | undefined;
}

/** Touch targets must be larger. */
const LINE_PX = matchMedia("(max-width: 767px)").matches ? 44 : 32;

/** The steps as a searchable tree: navigation of the graph by keyboard and screen reader. */
export function StepTree({ graph, selected, onSelect, progressOf }: StepTreeProps) {
  const [q, setQ] = useState("");
  const asked = useDeferredValue(q);
  const lines = useMemo(() => flattenSteps(graph, asked), [graph, asked]);
  return (
    <nav aria-label="Steps" className="card flex min-h-0 flex-col p-2 max-lg:max-h-72">
      <h2 className="label-caps px-2 pt-1 pb-1.5">Steps</h2>
      <SearchField
        className="mb-1.5"
        label="Find a step"
        value={q}
        onChange={setQ}
        onEnter={() => lines[0] !== undefined && onSelect(lines[0].path)}
      />
      {lines.length === 0 ? (
        <p className="px-2 py-3 text-soft">{asked === "" ? "No steps." : "No matching steps."}</p>
      ) : (
        <TreeLines lines={lines} selected={selected} onSelect={onSelect} progressOf={progressOf} />
      )}
    </nav>
  );
}

/** The visible lines, one of which is in the tab order; arrow keys move the focus from there. */
function useLineFocus(count: number) {
  const list = useVirtualList({ count, itemPx: LINE_PX });
  const { box, items } = list;
  const [at, setAt] = useState(0);
  const current = Math.min(at, count - 1);
  const reachable = items.some(({ index }) => index === current) ? current : items[0]?.index;
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(count - 1, to));
    setAt(next);
    list.scrollTo(next);
    // The line may exist only after scrolling.
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-line="${next}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = Number((event.target as HTMLElement).dataset["line"] ?? current); // a line, the only thing with focus here
    const to = { ArrowDown: from + 1, ArrowUp: from - 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(to);
  };
  return { list, reachable, onKeyDown, setAt };
}

interface TreeLinesProps extends Omit<StepTreeProps, "graph"> {
  readonly lines: readonly StepLine[];
}

/** A virtualized list of lines. */
function TreeLines({ lines, selected, onSelect, progressOf }: TreeLinesProps) {
  const { list, reachable, onKeyDown, setAt } = useLineFocus(lines.length);
  const chosen = lines.findIndex(({ path }) => path === selected);
  const renderItem = (index: number): ReactNode => {
    const line = lines[index];
    return (
      line !== undefined && (
        <StepLineView
          line={line}
          index={index}
          isSelected={index === chosen}
          isReachable={index === reachable}
          onSelect={() => {
            setAt(index);
            onSelect(line.path);
          }}
          progress={progressOf(line.node.step)}
        />
      )
    );
  };
  return (
    <VirtualList
      list={list}
      className="min-h-0 flex-1"
      onKeyDown={onKeyDown}
      inner={{ role: "tree", "aria-label": "Steps" }}
      item={() => ({ role: "presentation" })}
      renderItem={renderItem}
    />
  );
}

interface StepLineViewProps {
  readonly line: StepLine;
  readonly index: number;
  readonly isSelected: boolean;
  readonly isReachable: boolean;
  readonly onSelect: () => void;
  readonly progress: StepProgress | undefined;
}

function StepLineView({ line, index, isSelected, isReachable, onSelect, progress }: StepLineViewProps) {
  const { node, level, place, count } = line;
  return (
    <div
      role="treeitem"
      data-line={index}
      aria-level={level}
      aria-posinset={place}
      aria-setsize={count}
      aria-selected={isSelected}
      tabIndex={isReachable ? 0 : -1}
      className="flex w-full cursor-pointer items-center gap-2 rounded-md px-2 -outline-offset-2 hover:bg-sunken aria-selected:bg-accent-soft aria-selected:text-accent"
      style={{ height: LINE_PX, paddingLeft: 8 + (level - 1) * 14 }}
      onClick={onSelect}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        onSelect();
      }}
    >
      {progress !== undefined && (
        <span className={TONES[STATE_LOOKS[progress.state].tone].text}>
          <StateIcon state={progress.state} />
          <span className="sr-only">{STATE_LOOKS[progress.state].word}</span>
        </span>
      )}
      <span className="min-w-0 flex-1 truncate">{node.label}</span>
      {progress !== undefined && progress.total > 0 && (
        <span className="text-caption text-soft tabular-nums">
          {numberText(progress.done)}/{numberText(progress.total)}
        </span>
      )}
      {progress === undefined && <span className="text-caption text-soft">{waysOf(node)}</span>}
    </div>
  );
}

/** Describes whether a step is scattered, loops or is conditional. */
function waysOf({ scatter, loop, conditional }: GraphNodeRecord): string {
  return [
    ...(scatter === true ? ["scattered"] : []),
    ...(loop === true ? ["loops"] : []),
    ...(conditional === true ? ["conditional"] : []),
  ].join(", ");
}
