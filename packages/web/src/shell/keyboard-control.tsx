import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { keyboard } from "../ui/keyboard/keyboard-registry.ts";
import { isAppleDevice, readKey } from "../ui/keyboard/read-key.ts";
import { matchKeys } from "../ui/keyboard/shortcuts.ts";
import { useShortcuts } from "../ui/keyboard/use-shortcuts.ts";
import { onDemand } from "../ui/on-demand.tsx";
import { THEMES, chooseTheme, keptTheme, singleKeys } from "./preferences.ts";

const CommandPalette = onDemand(() => import("./palette/command-palette.tsx"));
const ShortcutHelp = onDemand(() => import("./shortcut-help.tsx"));

/** Maximum time between the keys of a shortcut. */
const PAUSE_MS = 1500;

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
  chooseTheme(THEMES[(THEMES.indexOf(keptTheme.get()) + 1) % THEMES.length] ?? "system");
}

/** Dialogs and menus handle Escape themselves. */
function leaveSearch(): void {
  const element = document.activeElement;
  if (element instanceof HTMLInputElement && element.type === "search") element.blur();
}

/** Handles the shortcuts of the registry in the whole document; returns a function that stops this. */
function listenToKeys(): () => void {
  let typed: readonly string[] = [];
  let typedAtMs = 0;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented) return;
    const pressed = readKey(event, isAppleDevice(navigator.userAgent));
    if (pressed.kind === "none") return;
    if (pressed.kind === "modified") return actWithModifier(event, pressed.key);
    if (pressed.kind === "escape") {
      if (isSearch(event.target)) event.preventDefault(); // browsers would clear it
      return keyboard.action("escape")?.();
    }
    if (!isForPage(event)) return;
    const before = event.timeStamp - typedAtMs < PAUSE_MS ? typed : [];
    const match = matchKeys(
      keyboard.active().filter(({ scope }) => scope === "page"),
      [...before, pressed.key],
    );
    typed = match.kind === "wait" ? match.typed : [];
    typedAtMs = event.timeStamp;
    if (match.kind !== "act") return;
    event.preventDefault();
    keyboard.action(match.id)?.();
  };
  document.addEventListener("keydown", onKeyDown);
  return () => document.removeEventListener("keydown", onKeyDown);
}

function actWithModifier(event: KeyboardEvent, key: string): void {
  const match = matchKeys(
    keyboard.active().filter(({ scope }) => scope === "modified"),
    [key],
  );
  if (match.kind !== "act") return;
  event.preventDefault();
  keyboard.action(match.id)?.();
}

function isForPage(event: KeyboardEvent): boolean {
  // The element itself, also in the shadow root of an editor.
  const [target] = event.composedPath();
  return singleKeys.get() === "on" && !(target instanceof HTMLElement && (takesText(target) || isInOverlay(target)));
}

function isSearch(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement && target.type === "search";
}

function takesText(element: HTMLElement): boolean {
  return element.isContentEditable || element.matches("input:not([type=checkbox], [type=radio]), textarea, select");
}

/** An open dialog or menu handles the keys. */
function isInOverlay(element: Element): boolean {
  return element.closest("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]") !== null;
}
