import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { type PageAction, type ShortcutActions, keyboard } from "./keyboard-registry.ts";
import { SHORTCUTS, type ShortcutId, matchKeys } from "./shortcuts.ts";

/** Registers shortcuts while the calling component is mounted. An action is undefined while it is unavailable. */
export function useShortcuts(actions: { readonly [Id in ShortcutId]?: (() => void) | undefined }): void {
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  const offered = SHORTCUTS.map(({ id }) => id)
    .filter((id) => actions[id] !== undefined)
    .join(" ");
  useEffect(() => {
    const names = new Set(offered.split(" "));
    const ids = SHORTCUTS.map(({ id }) => id).filter((id) => names.has(id));
    // Calls the latest functions.
    return keyboard.addShortcuts(Object.fromEntries(ids.map((id) => [id, () => latest.current[id]?.()])));
  }, [offered]);
}

/** Shortcuts of scope `focus`: returns the handler for the element that must have the focus. */
export function useFocusShortcuts(actions: ShortcutActions): (event: KeyboardEvent) => void {
  useShortcuts(actions);
  const own = SHORTCUTS.filter(({ id }) => actions[id] !== undefined);
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const match = matchKeys(own, [event.key]);
    if (match.kind !== "act") return;
    event.preventDefault();
    actions[match.id]?.();
  };
}

/** The arrow keys of a drawing: the handler for the element that must have the focus. */
export function useArrowShortcuts(
  go: (direction: "left" | "right" | "up" | "down") => () => void,
): (event: KeyboardEvent) => void {
  return useFocusShortcuts({
    "graph.left": go("left"),
    "graph.right": go("right"),
    "graph.up": go("up"),
    "graph.down": go("down"),
  });
}

/** Adds actions to the palette while the calling component is mounted. */
export function usePageActions(actions: readonly PageAction[]): void {
  const latest = useRef(actions);
  useLayoutEffect(() => {
    latest.current = actions;
  });
  const labels = actions.map(({ label }) => label).join("\n");
  useEffect(() => {
    const entries = labels.split("\n").map((label) => ({
      label,
      act: () => latest.current.find((action) => action.label === label)?.act(),
    }));
    return keyboard.addActions(labels === "" ? [] : entries);
  }, [labels]);
}

/** Rerenders when the registered actions change. */
export function useKeyboardRegistry(): typeof keyboard {
  useSyncExternalStore(keyboard.subscribe, keyboard.version);
  return keyboard;
}
