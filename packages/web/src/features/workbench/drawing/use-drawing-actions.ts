import { useLayoutEffect, useRef } from "react";
import type { DrawingAction, NetworkGesture } from "../language/plan-action.ts";
import type { DraftEditing } from "../use-draft-editor.ts";

/** The actions of the drawing. Each one is one change of the text, which undo reverts. */
export interface DrawingActions {
  readonly act: (action: DrawingAction) => void;
  /** Changes that undo reverts together; the selected node stays, unless it is removed. */
  readonly change: (...gestures: readonly NetworkGesture[]) => void;
  /** Writes what the user typed over a displayed text. Resolves to false if the document is not changed. */
  readonly type: (gesture: NetworkGesture, isLate: boolean) => Promise<boolean>;
  /** Asks for a step to add that uses the values of a source. */
  readonly addAfter: (source: string) => void;
  /** Resolves with the reason why the name cannot be used. */
  readonly rename: (name: string) => Promise<string | undefined>;
}

export interface DrawingSelection {
  /** The source after which a step is being added, "" if none is. */
  readonly after: string;
  readonly onAfter: (source: string) => void;
  readonly selected: string;
  readonly onSelect: (path: string) => void;
}

export function useDrawingActions(
  editing: DraftEditing,
  { selected, onSelect, onAfter }: DrawingSelection,
): DrawingActions {
  const { language } = editing;
  // The address may have changed by the time that an action is done.
  const select = useRef(onSelect);
  useLayoutEffect(() => {
    select.current = onSelect;
    return () => {
      // The user may have left the page.
      select.current = () => undefined;
    };
  });
  const act = async (action: DrawingAction, of?: string): Promise<boolean> => {
    let shown = selected;
    const isDone = await editing.rewrite(async (text) => {
      const drawn = await language.draw(text, action);
      if ("refusal" in drawn) throw new Error(drawn.refusal);
      shown = drawn.shown;
      return drawn.text;
    }, of);
    if (isDone && shown !== selected) select.current(shown);
    return isDone;
  };
  return {
    act: (action) => void act(action),
    addAfter: onAfter,
    change: (...gestures) => {
      const shown = gestures.some(({ kind }) => kind === "remove") ? "" : selected;
      void act({ kind: "gestures", gestures, shown });
    },
    // The document may have changed since it was displayed.
    type: (gesture, isLate) =>
      act({ kind: "gestures", gestures: [gesture], shown: selected }, isLate ? undefined : editing.viewed?.text),
    rename: (name) => renameNode(editing, { selected, name, onSelect }),
  };
}

async function renameNode(
  { language, session, apply }: DraftEditing,
  { selected, name, onSelect }: Pick<DrawingSelection, "selected" | "onSelect"> & { readonly name: string },
): Promise<string | undefined> {
  const { text } = session;
  const found = await language.renameNode(text, selected, name);
  if ("refusal" in found) return found.refusal;
  apply(found.changes, text);
  onSelect(selected.includes(":") ? `${selected.split(":")[0]}:${name}` : name);
  return undefined;
}
