import { LineDiff } from "../../../components/line-diff.tsx";
import { Modal } from "../../../ui/modal.tsx";
import { DOCUMENT, type DraftSession, type SaveState } from "./draft-session.ts";

/** Whether the server has the document and all files as they are shown. */
export function SaveStatus({ state }: { readonly state: SaveState }) {
  return (
    <span role="status" className="text-[0.8125rem] text-soft">
      {textOf(state)}
    </span>
  );
}

function textOf(state: SaveState): string {
  switch (state.kind) {
    case "saved":
      return "Saved";
    case "unsaved":
    case "saving":
      return "Saving…";
    case "failed":
      return `Not saved – retrying: ${state.why} (Your text is kept in this browser.)`;
    case "conflict":
      return `Not saved – choose between two texts${state.path === DOCUMENT ? "" : ` of ${state.path}`}`;
    case "gone":
      return "Not saved – this draft was published or deleted. Copy what you need.";
  }
}

interface ConflictDialogProps {
  readonly session: DraftSession;
  readonly conflict: Extract<SaveState, { kind: "conflict" }>;
  readonly onLater: () => void;
}

/** Both sides changed the same lines. */
export function ConflictDialog({ session, conflict: { path, theirs, by }, onLater }: ConflictDialogProps) {
  const mine = session.textOf(path) ?? "";
  return (
    <Modal title={`${by} changed the same lines${path === DOCUMENT ? "" : ` of ${path}`}`} onClose={onLater}>
      <div className="space-y-4">
        <p>
          Red lines are only in the text of {by}, green lines only in yours. To combine them, close this dialog, edit
          your text, and keep it.
        </p>
        <LineDiff label={`Your text compared with that of ${by}`} before={theirs} after={mine} />
        <div className="flex flex-wrap gap-2">
          <button type="button" className="btn btn-primary" onClick={() => session.resolve(mine)}>
            Keep my text
          </button>
          <button type="button" className="btn" onClick={() => session.resolve(theirs)}>
            Use the text of {by}
          </button>
        </div>
      </div>
    </Modal>
  );
}
