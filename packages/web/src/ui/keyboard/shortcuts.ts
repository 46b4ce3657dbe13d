export type ShortcutGroup = "Everywhere" | "Go to" | "On this page" | "Graph" | "Timeline" | "Log";

export interface Shortcut {
  readonly id: string;
  /** Ways to press it; each is one key or several after each other, as `KeyboardEvent.key` names them. */
  readonly keys: readonly (readonly string[])[];
  readonly label: string;
  readonly group: ShortcutGroup;
  /**
   * `modified`: with Ctrl or Cmd, also while typing. `page`: a single character anywhere outside of inputs, can be turned
   * off (WCAG 2.2, 2.1.4). `focus`: only while its own part of the page has the focus.
   */
  readonly scope: "modified" | "page" | "focus";
}

/** Every shortcut of the app. The handler acts by this table and the help is drawn from it, so they cannot differ. */
export const SHORTCUTS = [
  { id: "palette", keys: [["k"]], label: "Search and commands", group: "Everywhere", scope: "modified" },
  { id: "help", keys: [["?"]], label: "Keyboard shortcuts", group: "Everywhere", scope: "page" },
  { id: "theme", keys: [["t"]], label: "Next theme: system, light, dark", group: "Everywhere", scope: "page" },
  {
    id: "escape",
    keys: [["Escape"]],
    label: "Leave a search box; close what is open",
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
  { id: "row.next", keys: [["j"]], label: "Next row of a list; Enter opens it", group: "On this page", scope: "page" },
  { id: "row.previous", keys: [["k"]], label: "Previous row of a list", group: "On this page", scope: "page" },
  { id: "row.select", keys: [["x"]], label: "Choose the row of a list", group: "On this page", scope: "page" },
  { id: "run", keys: [["r"]], label: "Run, or run again", group: "On this page", scope: "page" },
  { id: "pause", keys: [["p"]], label: "Pause the run, or resume it", group: "On this page", scope: "page" },
  { id: "abort", keys: [["c"]], label: "Abort the run (asks first)", group: "On this page", scope: "page" },
  { id: "graph.zoomIn", keys: [["+"], ["="]], label: "Zoom in", group: "Graph", scope: "page" },
  { id: "graph.zoomOut", keys: [["-"]], label: "Zoom out", group: "Graph", scope: "page" },
  { id: "graph.fit", keys: [["f"], ["0"]], label: "Fit the graph", group: "Graph", scope: "page" },
  { id: "graph.map", keys: [["m"]], label: "Small map", group: "Graph", scope: "page" },
  { id: "graph.left", keys: [["ArrowLeft"]], label: "Node before this one", group: "Graph", scope: "focus" },
  { id: "graph.right", keys: [["ArrowRight"]], label: "Node after this one", group: "Graph", scope: "focus" },
  { id: "graph.up", keys: [["ArrowUp"]], label: "Node above", group: "Graph", scope: "focus" },
  { id: "graph.down", keys: [["ArrowDown"]], label: "Node below", group: "Graph", scope: "focus" },
  { id: "log.end", keys: [["End"]], label: "Follow the end of the log", group: "Log", scope: "focus" },
  { id: "timeline.zoomIn", keys: [["+"], ["="]], label: "Zoom in", group: "Timeline", scope: "page" },
  { id: "timeline.zoomOut", keys: [["-"]], label: "Zoom out", group: "Timeline", scope: "page" },
  { id: "timeline.reset", keys: [["0"]], label: "Show the whole", group: "Timeline", scope: "page" },
  { id: "timeline.left", keys: [["ArrowLeft"]], label: "Earlier", group: "Timeline", scope: "focus" },
  { id: "timeline.right", keys: [["ArrowRight"]], label: "Later", group: "Timeline", scope: "focus" },
  { id: "timeline.up", keys: [["ArrowUp"]], label: "Up", group: "Timeline", scope: "focus" },
  { id: "timeline.down", keys: [["ArrowDown"]], label: "Down", group: "Timeline", scope: "focus" },
] as const satisfies readonly Shortcut[];

export type ShortcutId = (typeof SHORTCUTS)[number]["id"];

/** A key as it is printed on keyboards. */
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
