import { keyboard } from "./keyboard-registry.ts";
import { matchKeys } from "./match-keys.ts";
import { singleKeysOn } from "./single-keys.ts";

/** Maximum time between the keys of a shortcut. */
const PAUSE_MS = 1500;

/** Handles the shortcuts of the registry in the whole document; returns a function that stops this. */
export function listenToKeys(): () => void {
  let typed: readonly string[] = [];
  let typedAtMs = 0;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    if ((event.ctrlKey || event.metaKey) && !isAltGraph(event)) return actWithModifier(event);
    if (event.key === "Escape") {
      if (isSearch(event.target)) event.preventDefault(); // browsers would clear it
      return keyboard.action("escape")?.();
    }
    if (!isPageKey(event)) return;
    const before = event.timeStamp - typedAtMs < PAUSE_MS ? typed : [];
    const match = matchKeys(
      keyboard.active().filter(({ scope }) => scope === "page"),
      [...before, event.key],
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

function actWithModifier(event: KeyboardEvent): void {
  if (event.altKey || event.shiftKey) return;
  const match = matchKeys(
    keyboard.active().filter(({ scope }) => scope === "modified"),
    [event.key.toLowerCase()],
  );
  if (match.kind !== "act") return;
  event.preventDefault();
  keyboard.action(match.id)?.();
}

/** On many keyboards `[` needs AltGr, which some systems report as Ctrl and Alt. */
function isAltGraph(event: KeyboardEvent): boolean {
  return event.getModifierState("AltGraph");
}

function isPageKey(event: KeyboardEvent): boolean {
  if (event.key.length !== 1 || (event.altKey && !isAltGraph(event))) return false;
  // The element itself, also in the shadow root of an editor.
  const [target] = event.composedPath();
  return singleKeysOn() && !(target instanceof HTMLElement && (takesText(target) || isInOverlay(target)));
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
