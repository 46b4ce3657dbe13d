type ShortcutGroup = "Everywhere" | "Go to" | "On this page" | "Graph" | "Timeline" | "Log";

export interface Shortcut {
  readonly id: string;
  /** Alternative key sequences, with the names of `KeyboardEvent.key`. */
  readonly keys: readonly (readonly string[])[];
  readonly label: string;
  readonly group: ShortcutGroup;
  /**
   * `modified`: with Ctrl or Cmd, also while typing. `page`: a single character anywhere outside inputs; can be turned
   * off (WCAG 2.2, 2.1.4). `focus`: only while its own part of the page has the focus.
   */
  readonly scope: "modified" | "page" | "focus";
}

/** All shortcuts of the app, used by both the handler and the help. */
export const SHORTCUTS = [
  { id: "palette", keys: [["k"]], label: "Search and commands", group: "Everywhere", scope: "modified" },
  { id: "help", keys: [["?"]], label: "Keyboard shortcuts", group: "Everywhere", scope: "page" },
  { id: "theme", keys: [["t"]], label: "Switch theme", group: "Everywhere", scope: "page" },
  {
    id: "escape",
    keys: [["Escape"]],
    label: "Leave search / close panel",
    group: "Everywhere",
    scope: "focus",
  },
  { id: "go.home", keys: [["g", "h"]], label: "Dashboard", group: "Go to", scope: "page" },
  { id: "go.networks", keys: [["g", "n"]], label: "Networks", group: "Go to", scope: "page" },
  { id: "go.runs", keys: [["g", "r"]], label: "Runs", group: "Go to", scope: "page" },
  { id: "go.tools", keys: [["g", "t"]], label: "Tools", group: "Go to", scope: "page" },
  { id: "go.provenance", keys: [["g", "p"]], label: "Provenance", group: "Go to", scope: "page" },
  { id: "go.docs", keys: [["g", "d"]], label: "Docs", group: "Go to", scope: "page" },
  { id: "search", keys: [["/"]], label: "Search on this page", group: "On this page", scope: "page" },
  { id: "tab.previous", keys: [["["]], label: "Previous tab", group: "On this page", scope: "page" },
  { id: "tab.next", keys: [["]"]], label: "Next tab", group: "On this page", scope: "page" },
  { id: "row.next", keys: [["j"]], label: "Next row (Enter opens it)", group: "On this page", scope: "page" },
  { id: "row.previous", keys: [["k"]], label: "Previous row", group: "On this page", scope: "page" },
  { id: "row.select", keys: [["x"]], label: "Select row", group: "On this page", scope: "page" },
  { id: "run", keys: [["r"]], label: "Run or run again", group: "On this page", scope: "page" },
  { id: "pause", keys: [["p"]], label: "Pause or resume the run", group: "On this page", scope: "page" },
  { id: "abort", keys: [["c"]], label: "Abort the run (asks first)", group: "On this page", scope: "page" },
  { id: "graph.zoomIn", keys: [["+"], ["="]], label: "Zoom in", group: "Graph", scope: "page" },
  { id: "graph.zoomOut", keys: [["-"]], label: "Zoom out", group: "Graph", scope: "page" },
  { id: "graph.fit", keys: [["f"], ["0"]], label: "Fit to screen", group: "Graph", scope: "page" },
  { id: "graph.map", keys: [["m"]], label: "Minimap", group: "Graph", scope: "page" },
  { id: "graph.left", keys: [["ArrowLeft"]], label: "Previous node", group: "Graph", scope: "focus" },
  { id: "graph.right", keys: [["ArrowRight"]], label: "Next node", group: "Graph", scope: "focus" },
  { id: "graph.up", keys: [["ArrowUp"]], label: "Node above", group: "Graph", scope: "focus" },
  { id: "graph.down", keys: [["ArrowDown"]], label: "Node below", group: "Graph", scope: "focus" },
  { id: "log.end", keys: [["End"]], label: "Jump to end and follow", group: "Log", scope: "focus" },
  { id: "timeline.zoomIn", keys: [["+"], ["="]], label: "Zoom in", group: "Timeline", scope: "page" },
  { id: "timeline.zoomOut", keys: [["-"]], label: "Zoom out", group: "Timeline", scope: "page" },
  { id: "timeline.reset", keys: [["0"]], label: "Reset zoom", group: "Timeline", scope: "page" },
  { id: "timeline.left", keys: [["ArrowLeft"]], label: "Earlier", group: "Timeline", scope: "focus" },
  { id: "timeline.right", keys: [["ArrowRight"]], label: "Later", group: "Timeline", scope: "focus" },
  { id: "timeline.up", keys: [["ArrowUp"]], label: "Up", group: "Timeline", scope: "focus" },
  { id: "timeline.down", keys: [["ArrowDown"]], label: "Down", group: "Timeline", scope: "focus" },
] as const satisfies readonly Shortcut[];

export type ShortcutId = (typeof SHORTCUTS)[number]["id"];

/** The label of a key on keyboards. */
export function keyName(key: string): string {
  return KEY_NAMES[key] ?? key;
}

const KEY_NAMES: Readonly<Record<string, string>> = {
  Escape: "Esc",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
};

type KeyMatch<Id extends string> =
  | { readonly kind: "act"; readonly id: Id }
  /** The beginning of a longer shortcut. */
  | { readonly kind: "wait"; readonly typed: readonly string[] }
  | { readonly kind: "none" };

/**
 * Matches the keys `typed` so far with the given shortcuts. Drops keys that match nothing, except the last one, which
 * may start a new sequence.
 */
export function matchKeys<Id extends string>(
  shortcuts: readonly (Shortcut & { readonly id: Id })[],
  typed: readonly string[],
): KeyMatch<Id> {
  const candidates = shortcuts.flatMap(({ id, keys }) => keys.map((sequence) => ({ id, sequence })));
  const begun = candidates.filter(({ sequence }) => typed.every((key, place) => sequence[place] === key));
  const whole = begun.find(({ sequence }) => sequence.length === typed.length);
  if (whole !== undefined) return { kind: "act", id: whole.id };
  if (begun.length > 0) return { kind: "wait", typed };
  return typed.length > 1 ? matchKeys(shortcuts, typed.slice(-1)) : { kind: "none" };
}
