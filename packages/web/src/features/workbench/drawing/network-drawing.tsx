import type { DocumentList } from "@weft/shared/records/draft-record.ts";
import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Modal } from "../../../ui/modal.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { showError } from "../../../ui/toast.tsx";
import type { DocumentView } from "../language/document-language.ts";
import type { NodeView, Way } from "../language/plan-action.ts";
import type { DraftEditing } from "../use-draft-editor.ts";
import { AddInputDialog, AddStepDialog, ChosenStepsBar, useChoosing } from "./drawing-tools.tsx";
import { NodePanel } from "./node-panel.tsx";
import { NetworkNote } from "./note-field.tsx";
import { type DrawingActions, type DrawingSelection, useDrawingActions } from "./use-drawing-actions.ts";

interface DrawnNetwork {
  readonly graph: GraphRecord;
  /** The ports of its steps. */
  readonly ports: DocumentView["ports"];
  /** The panel of the selected node. */
  readonly detail: ReactNode;
  readonly connecting: ReturnType<typeof useConnecting>["connecting"];
  readonly choosing: ReturnType<typeof useChoosing>;
}

interface NetworkDrawingProps extends DrawingSelection {
  readonly editing: DraftEditing;
  readonly documents: DocumentList;
  readonly renderGraph: (drawn: DrawnNetwork) => ReactNode;
}

/**
 * The drawing of a network. The drawing and the text are views of one document, so changes in one appear in the other.
 */
export default function NetworkDrawing(props: NetworkDrawingProps) {
  const { editing, documents, selected, onSelect, renderGraph } = props;
  const actions = useDrawingActions(editing, props);
  const node = useNodeView(editing, selected);
  const { connecting, question, choose, close } = useConnecting(editing, actions);
  const choosing = useChoosing(editing.viewed?.view.graph);
  if (editing.viewed === undefined) return <Skeleton rows={12} />;
  const { graph, ports, note } = editing.viewed.view;
  if (graph === undefined)
    return <EmptyState text="The text has errors and cannot be drawn. They are listed below it." />;
  const detail =
    node === undefined ? null : <NodePanel key={selected} node={node} actions={actions} onClose={() => onSelect("")} />;
  return (
    <div className="space-y-3">
      <DrawingToolbar
        actions={actions}
        documents={documents}
        own={editing.draft.path}
        isReady={editing.isReady}
        choosing={choosing}
        after={props.after}
        onAfter={props.onAfter}
      />
      <ChosenStepsBar choosing={choosing} actions={actions} />
      <NetworkNote note={note} onChange={(value, isLate) => actions.type({ kind: "doc", value }, isLate)} />
      {graph.nodes.length === 0 ? (
        <EmptyState text="This network is empty. Add a step, or an input." />
      ) : (
        renderGraph({ graph, ports, detail, connecting, choosing })
      )}
      {question.length > 0 && <ConnectDialog ways={question} onChoose={choose} onClose={close} />}
    </div>
  );
}

interface DrawingToolbarProps {
  readonly actions: DrawingActions;
  readonly documents: DocumentList;
  /** Path of the document that is edited, which cannot be a step of itself. */
  readonly own: string;
  readonly isReady: boolean;
  readonly choosing: ReturnType<typeof useChoosing>;
  readonly after: string;
  readonly onAfter: (source: string) => void;
}

function DrawingToolbar({ actions, documents, own, isReady, choosing, after, onAfter }: DrawingToolbarProps) {
  const [open, setOpen] = useState<"step" | "input" | undefined>(undefined);
  const close = (): void => {
    setOpen(undefined);
    if (after !== "") onAfter("");
  };
  return (
    <div role="toolbar" aria-label="Drawing" className="flex flex-wrap gap-2">
      <Button disabled={!isReady} onClick={() => setOpen("step")}>
        <Icon name="plus" /> Add step
      </Button>
      <Button disabled={!isReady} onClick={() => setOpen("input")}>
        <Icon name="plus" /> Add input
      </Button>
      <Button
        className="aria-pressed:border-accent aria-pressed:bg-accent-soft"
        aria-pressed={choosing.isOn}
        disabled={!isReady}
        onClick={() => (choosing.isOn ? choosing.clear() : choosing.setIsOn(true))}
      >
        <Icon name="check" /> Select steps
      </Button>
      {(open === "step" || (after !== "" && isReady)) && (
        <AddStepDialog
          after={after}
          documents={documents.documents.filter(({ path }) => path !== own)}
          onAdd={({ path, id }) => actions.act({ kind: "step", path, name: id, ...(after === "" ? {} : { after }) })}
          onClose={close}
        />
      )}
      {open === "input" && (
        <AddInputDialog onAdd={(name, type) => actions.act({ kind: "input", name, type })} onClose={close} />
      )}
    </div>
  );
}

interface ConnectDialogProps {
  readonly ways: readonly Way[];
  readonly onChoose: (way: Way) => void;
  readonly onClose: () => void;
}

/** A line can mean several connections, or one that changes more than the link. */
function ConnectDialog({ ways, onChoose, onClose }: ConnectDialogProps) {
  const byPort = Map.groupBy(ways, ({ source, place }) => `${source} → ${place.port}`);
  return (
    <Modal title="How should they be connected?" onClose={onClose}>
      {[...byPort].map(([title, choices]) => (
        <section key={title} aria-label={title} className="not-first:mt-3">
          <h3 className="code">{title}</h3>
          <ul className="mt-1.5 space-y-1.5">
            {choices.map((way) => (
              <li key={way.kind}>
                <Button
                  className="h-auto min-h-10 w-full justify-start py-1.5 text-left wrap-anywhere whitespace-normal"
                  onClick={() => onChoose(way)}
                >
                  {wayText(way)}
                </Button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Modal>
  );
}

/** The effect of a way to connect two ports, in words. */
function wayText(way: Way): string {
  const { replaces } = way;
  const text = howText(way);
  return replaces.length === 0 ? text : `${text}, instead of ${replaces.join(" and ")}`;
}

function howText({ kind, source, typeText, format = "" }: Way): string {
  switch (kind) {
    case "direct":
      return "Use it as it is";
    case "format":
      return `Use it, and declare that ${source} has the format ${format}`;
    case "check":
      return `Use it; the run checks whether each ${typeText} fits`;
    case "scatter":
      return "Run the step once for each item";
    case "pair":
      return "Run the step once for each item, paired with the other items in order";
    case "cross":
      return "Run the step once for each combination with the other items";
    case "list":
      return "Use it as a list of one";
    case "nested":
      return "Make a list of all sources";
    case "joined":
      return "Join all sources into one list";
    case "first":
      return "Use the first source that is not missing";
    case "only":
      return "Use the only source that is not missing";
  }
}

type Target = { readonly path: string; readonly port?: string };

/** Connects ports between which the user dragged a line; asks if the connection is ambiguous. */
function useConnecting({ language, session }: DraftEditing, actions: DrawingActions) {
  const [question, setQuestion] = useState<readonly Way[]>([]);
  const choose = ({ gestures }: Way): void => {
    setQuestion([]);
    actions.change(...gestures);
  };
  const connect = async (source: string, to: Target): Promise<void> => {
    const ways = await language.ways(session.text, source, to);
    const [only, ...others] = ways;
    const isPlain = only?.kind === "direct" && others.length === 0 && only.replaces.length === 0;
    if (isPlain) choose(only);
    else setQuestion(ways);
  };
  return {
    question,
    close: () => setQuestion([]),
    choose,
    connecting: {
      compatiblePorts: (source: string) => language.compatiblePorts(session.text, source),
      onConnect: (source: string, to: Target) =>
        void connect(source, to).catch((error: Error) => showError(`The ports were not connected: ${error.message}`)),
    },
  };
}

/** The language service's description of the selected node; undefined until it is known. */
function useNodeView({ language, viewed }: DraftEditing, path: string): NodeView | undefined {
  const [found, setFound] = useState<{ readonly path: string; readonly node: NodeView | undefined }>();
  const text = viewed?.text;
  useEffect(() => {
    if (path === "" || text === undefined) return;
    let isCurrent = true;
    const look = async (): Promise<void> => {
      const node = await language.node(text, path);
      if (isCurrent) setFound({ path, node });
    };
    // If the step's document cannot be read, the last description stays.
    void look().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [language, text, path]);
  return found?.path === path ? found.node : undefined;
}
