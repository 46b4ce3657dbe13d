import { jsonPointer } from "@weft/shared/json-pointer.ts";
import { createContext, useContext, useSyncExternalStore } from "react";
import type { FieldProblem } from "../model/check-value.ts";
import { Persisted } from "../../../ui/persisted.ts";
import { type FormPath, type FormStore, type InputValues, isAtOrBelow } from "../model/form-store.ts";

/** Whether fields show the names and types of their inputs in the document, next to the labels. */
export const technicalNames = new Persisted("weft-technical-names", (kept) => kept === true);

const StoreContext = createContext<FormStore | undefined>(undefined);

export const FormStoreProvider = StoreContext.Provider;

export function useFormStore(): FormStore {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error("form field rendered outside a form");
  return store;
}

/** All values of the form. */
export function useFormValues(): InputValues {
  const store = useFormStore();
  return useSyncExternalStore(store.subscribe, store.values);
}

const SecretContext = createContext(false);

/** Wraps the fields of a secret input, whose text is masked and not saved by the browser. */
export const SecretProvider = SecretContext.Provider;

export function useIsSecret(): boolean {
  return useContext(SecretContext);
}

/** The value at a path and the way to change it. Redraws only when this value changes. */
export function useFieldValue(path: FormPath): readonly [unknown, (value: unknown) => void] {
  const store = useFormStore();
  const value = useSyncExternalStore(store.subscribe, () => store.get(path));
  return [value, (next) => store.set(path, next)];
}

/** The problems at a path; with `deep` also those below it, for fields without parts. */
export function useFieldProblems(path: FormPath, deep: boolean): readonly FieldProblem[] {
  const store = useFormStore();
  const all = useSyncExternalStore(store.subscribe, store.problems);
  const pointer = jsonPointer(path);
  return all.filter((problem) => (deep ? isAtOrBelow(problem.pointer, pointer) : problem.pointer === pointer));
}

/** Id of the element that takes the focus when the user opens a problem at this path. */
export function fieldId(path: FormPath): string {
  return `field${jsonPointer(path)}`;
}

const revealers = new Set<(pointer: string) => void>();

/** Called before a field takes the focus, so that a virtualized list can render this entry. */
export function onReveal(reveal: (pointer: string) => void): () => void {
  revealers.add(reveal);
  return () => revealers.delete(reveal);
}

/** Scrolls to the field of a problem, or the nearest one around it, and focuses it. */
export function focusField(pointer: string): void {
  for (const reveal of revealers) reveal(pointer);
  const isThere = document.getElementById(`field${pointer}`) !== null;
  if (isThere || revealers.size === 0) return focusNearest(pointer);
  const focused = document.activeElement;
  // A hidden entry exists after the next render. If the user types elsewhere by then, the focus stays there.
  const focusLater = () => (document.activeElement === focused ? focusNearest(pointer) : undefined);
  requestAnimationFrame(() => requestAnimationFrame(focusLater));
}

function focusNearest(pointer: string): void {
  for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const element = document.getElementById(`field${at}`);
    if (element === null) continue;
    openAround(element);
    element.scrollIntoView({ block: "center" });
    element.focus({ preventScroll: true });
    return;
  }
}

/** Opens all collapsed ancestors. */
function openAround(element: Element): void {
  for (let fold = element.closest("details"); fold !== null; fold = fold.parentElement?.closest("details") ?? null)
    fold.open = true;
}
