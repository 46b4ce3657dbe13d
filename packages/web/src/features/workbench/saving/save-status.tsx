import { LineDiff } from "../../../components/line-diff.tsx";
import { Modal } from "../../../ui/modal.tsx";
import type { DraftSync, SavedText, SaveState } from "./draft-sync.ts";

/** Whether the server has the text. */
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
      return "Not saved – retrying. Your text is kept in this browser.";
    case "conflict":
      return "Not saved – choose between two texts";
  }
}

interface ConflictDialogProps {
  readonly sync: DraftSync;
  readonly theirs: SavedText;
  readonly onLater: () => void;
}

/** Both sides changed the same lines. */
export function ConflictDialog({ sync, theirs, onLater }: ConflictDialogProps) {
  return (
    <Modal title={`${theirs.by} changed the same lines`} onClose={onLater}>
      <div className="space-y-4">
        <p>
          Red lines are only in the text of {theirs.by}, green lines only in yours. To combine them, close this dialog,
          edit your text, and keep it.
        </p>
        <LineDiff label={`Your text compared with that of ${theirs.by}`} before={theirs.text} after={sync.text} />
        <div className="flex flex-wrap gap-2">
          <button type="button" className="btn btn-primary" onClick={() => sync.resolve(sync.text)}>
            Keep my text
          </button>
          <button type="button" className="btn" onClick={() => sync.resolve(theirs.text)}>
            Use the text of {theirs.by}
          </button>
        </div>
      </div>
    </Modal>
  );
}
