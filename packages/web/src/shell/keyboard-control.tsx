import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { listenToKeys } from "../ui/keyboard/listen-to-keys.ts";
import { useShortcuts } from "../ui/keyboard/use-shortcuts.ts";
import { chooseTheme, currentTheme, THEMES } from "./theme.ts";
import { onDemand } from "../ui/on-demand.tsx";

const CommandPalette = onDemand(() => import("./palette/command-palette.tsx"));
const ShortcutHelp = onDemand(() => import("./shortcut-help.tsx"));

/** Handles the shortcuts, including those of every page, and renders the palette and the help. */
export function KeyboardControl() {
  const navigate = useNavigate();
  const [open, setOpen] = useState<"palette" | "help" | undefined>(undefined);
  const go = (path: string) => () => void navigate(path);
  useEffect(listenToKeys, []);
  useShortcuts({
    palette: () => setOpen((old) => (old === "palette" ? undefined : "palette")),
    help: () => setOpen("help"),
    theme: nextTheme,
    escape: leaveSearch,
    "go.home": go("/"),
    "go.networks": go("/networks"),
    "go.runs": go("/runs"),
    "go.tools": go("/tool"),
    "go.provenance": go("/prov"),
    "go.docs": go("/doc"),
  });
  const close = (): void => setOpen(undefined);
  return (
    <>
      {open === "palette" && <CommandPalette onClose={close} />}
      {open === "help" && <ShortcutHelp onClose={close} />}
    </>
  );
}

function nextTheme(): void {
  chooseTheme(THEMES[(THEMES.indexOf(currentTheme()) + 1) % THEMES.length] ?? "system");
}

/** Dialogs and menus handle Escape themselves. */
function leaveSearch(): void {
  const element = document.activeElement;
  if (element instanceof HTMLInputElement && element.type === "search") element.blur();
}
