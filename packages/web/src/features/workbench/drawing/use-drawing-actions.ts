import { showToast } from "../../../ui/toast.tsx";
import type { DrawingAction } from "../language/plan-action.ts";
import type { NetworkGesture } from "../language/network-gestures.ts";
import type { DraftEditing } from "../use-draft-editor.ts";

/** What the drawing does: each action is one change of the text, which undo takes back. */
export interface DrawingActions {
  readonly act: (action: DrawingAction) => void;
  /** A change of the selected node. */
  readonly change: (gesture: NetworkGesture) => void;
  /** Resolves with why the name cannot be used. */
  readonly rename: (name: string) => Promise<string | undefined>;
}

export interface DrawingSelection {
  readonly selected: string;
  readonly onSelect: (path: string) => void;
}

export function useDrawingActions(editing: DraftEditing, { selected, onSelect }: DrawingSelection): DrawingActions {
  const { language, live } = editing;
  const draw = async (action: DrawingAction): Promise<void> => {
    const drawn = await language.draw(live.sync.text, action);
    if ("refusal" in drawn) return showToast(drawn.refusal);
    editing.rewrite(drawn.text);
    if (drawn.shown !== selected) onSelect(drawn.shown);
  };
  const act = (action: DrawingAction): void =>
    void draw(action).catch((error: unknown) => showToast(error instanceof Error ? error.message : String(error)));
  return {
    act,
    change: (gesture) => {
      const shown = gesture.kind === "remove" ? "" : selected;
      act({ kind: "gesture", gesture, shown });
    },
    rename: async (name) => {
      const found = await language.renameNode(live.sync.text, selected, name);
      if ("refusal" in found) return found.refusal;
      editing.apply(found.changes);
      onSelect(selected.includes(":") ? `${selected.split(":")[0]}:${name}` : name);
      return undefined;
    },
  };
}
