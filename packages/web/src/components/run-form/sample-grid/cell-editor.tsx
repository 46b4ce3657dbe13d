import { useRef, type KeyboardEvent } from "react";
import { Input } from "../../../ui/field.tsx";
import type { GridPort } from "./grid-port.ts";

/** The movement of the cursor after editing a cell. */
export type EditEnd = "stay" | "down" | "up" | "right" | "left";

interface CellEditorProps {
  readonly label: string;
  readonly text: string;
  readonly port: GridPort | undefined;
  /**
   * Called at the end of editing; `text` is undefined if the cell does not change, `end` if the focus moved elsewhere.
   */
  readonly onEnd: (text: string | undefined, end: EditEnd | undefined) => void;
}

/** The input in a cell. Enter and Tab accept the text, Escape discards it. */
export function CellEditor({ label, text, port, onEnd }: CellEditorProps) {
  const hasEnded = useRef(false);
  const end = (typed: string | undefined, next: EditEnd | undefined): void => {
    if (hasEnded.current) return;
    hasEnded.current = true;
    onEnd(typed, next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const next = endOf(event);
    if (next === undefined) return;
    event.preventDefault();
    end(event.key === "Escape" ? undefined : event.currentTarget.value, next);
  };
  return (
    <Input
      bare
      // The user chose to edit this cell.
      // eslint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      aria-label={label}
      className="-mx-2 h-[calc(100%-4px)] w-[calc(100%+1rem)] rounded-sm border border-accent bg-surface px-2 text-ink outline-none"
      defaultValue={text}
      autoComplete="off"
      spellCheck={false}
      proposals={(port?.choices ?? []).map((id) => ({ id }))}
      onKeyDown={onKeyDown}
      onBlur={(event) => end(event.currentTarget.value, undefined)}
    />
  );
}

function endOf({ key, shiftKey }: KeyboardEvent): EditEnd | undefined {
  switch (key) {
    case "Escape":
      return "stay";
    case "Enter":
      return shiftKey ? "up" : "down";
    case "Tab":
      return shiftKey ? "left" : "right";
    default:
      return undefined;
  }
}
