import type { DocumentList } from "@weft/shared/records/draft-record.ts";
import type { GraphRecord } from "@weft/shared/records/process-record.ts";
import { useState, type ReactNode } from "react";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import type { DocumentView } from "../language/document-language.ts";
import type { DraftEditing } from "../use-draft-editor.ts";
import { AddInputDialog } from "./add-input-dialog.tsx";
import { AddStepDialog } from "./add-step-dialog.tsx";
import { ConnectDialog } from "./connect-dialog.tsx";
import { NetworkNote } from "./note-field.tsx";
import { NodePanel } from "./node-panel.tsx";
import { ChosenStepsBar } from "./chosen-steps-bar.tsx";
import { useChoosing } from "./use-choosing.ts";
import { useConnecting } from "./use-connecting.ts";
import { useDrawingActions, type DrawingActions, type DrawingSelection } from "./use-drawing-actions.ts";
import { useNodeView } from "./use-node-view.ts";

export interface DrawnNetwork {
  readonly graph: GraphRecord;
  /** The ports of its steps. */
  readonly ports: DocumentView["ports"];
  /** The panel of the selected node. */
  readonly detail: ReactNode;
  readonly connecting: ReturnType<typeof useConnecting>["connecting"];
  readonly choosing: ReturnType<typeof useChoosing>;
}

export interface NetworkDrawingProps extends DrawingSelection {
  readonly editing: DraftEditing;
  readonly documents: DocumentList;
  readonly renderGraph: (drawn: DrawnNetwork) => ReactNode;
}

/** The drawing of a network. It and the text are views of one document: each changes what the other shows. */
export function NetworkDrawing(props: NetworkDrawingProps) {
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
      <NetworkNote note={note} onChange={(value) => actions.change({ kind: "doc", value })} />
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
      <button type="button" className="btn" disabled={!isReady} onClick={() => setOpen("step")}>
        <Icon name="plus" /> Add step
      </button>
      <button type="button" className="btn" disabled={!isReady} onClick={() => setOpen("input")}>
        <Icon name="plus" /> Add input
      </button>
      <button
        type="button"
        className="btn aria-pressed:border-accent aria-pressed:bg-accent-soft"
        aria-pressed={choosing.isOn}
        disabled={!isReady}
        onClick={() => (choosing.isOn ? choosing.clear() : choosing.setIsOn(true))}
      >
        <Icon name="check" /> Choose steps
      </button>
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
