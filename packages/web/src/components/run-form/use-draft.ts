import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { isObject } from "../../format/value-text.ts";
import { WindowStorage } from "../../ui/window-storage.ts";
import { type InputValues, FormStore } from "./model/form-store.ts";
import type { NamedSamples } from "./model/named-samples.ts";
import { type FormContent, type RunTarget, withoutSecrets } from "./run-target.ts";

const SAVE_AFTER_MS = 400;

/** The initial values of a form, unless there is a draft. */
export interface FormBeginning<Settings> extends FormContent {
  readonly settings: Settings;
}

const PREFIX = "weft-draft:";
const MAX_DRAFTS = 20;

/**
 * The state of a form, saved in the browser under its name while the user fills it in. `restoredFrom`: when the restored
 * draft was saved; undefined if there was none. `drop` deletes the draft, after sending the form or discarding it.
 */
export function useDraft<Settings extends object>(
  form: string,
  target: Pick<RunTarget, "inputs">,
  beginning: FormBeginning<Settings>,
) {
  const [drafts] = useState(() => new DraftStore(new WindowStorage()));
  const [draft, setDraft] = useState<Draft | undefined>(() => drafts.read(form));
  const [store] = useState(() => {
    const { values, samples, settings } = draft ?? { ...beginning, values: withoutSecrets(target, beginning.values) };
    return new FormStore<Settings>(values, samples, { ...beginning.settings, ...settings });
  });
  const isDropped = useRef(false);
  useSaving(store, isDropped, () => {
    if (isDropped.current) return;
    const values = withoutSecrets(target, store.values());
    const settings = store.settings();
    const hasValues = [values, beginning.values].some((each) => Object.keys(each).length > 0);
    const isChanged = hasValues || JSON.stringify(settings) !== JSON.stringify(beginning.settings);
    const savedAt = new Date().toISOString();
    if (isChanged) drafts.write(form, { values, samples: store.samples(), settings, savedAt });
    else drafts.remove(form);
  });
  const drop = (): void => {
    isDropped.current = true;
    drafts.remove(form);
    setDraft(undefined);
  };
  return { store, restoredFrom: draft?.savedAt, drop };
}

/** Saves soon after a change, and at once when the form is left. */
function useSaving<Settings extends object>(
  store: FormStore<Settings>,
  isDropped: RefObject<boolean>,
  save: () => void,
): void {
  const keep = useEffectEvent(save);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const saveChange = (): void => {
      clearTimeout(timer);
      timer = undefined;
      keep();
    };
    const unsubscribe = store.subscribe(() => {
      isDropped.current = false;
      timer ??= setTimeout(saveChange, SAVE_AFTER_MS);
    });
    const saveNow = (): void => void (timer !== undefined && saveChange());
    globalThis.addEventListener("pagehide", saveNow);
    return () => {
      saveNow();
      unsubscribe();
      globalThis.removeEventListener("pagehide", saveNow);
    };
  }, [store, isDropped]);
}

/** Unsubmitted values of a form. */
export interface Draft {
  readonly values: InputValues;
  readonly samples: NamedSamples | undefined;
  /** The settings; absent in forms that older versions saved. */
  readonly settings?: object;
  readonly savedAt: string;
}

/**
 * Keeps one draft per form and window in the browser, for at most twenty forms; drops the oldest first. If the storage is
 * full, it saves nothing.
 */
export class DraftStore {
  readonly #storage: WindowStorage;

  constructor(storage: WindowStorage) {
    this.#storage = storage;
  }

  read(form: string): Draft | undefined {
    return parseDraft(this.#storage.read(PREFIX + form));
  }

  write(form: string, draft: Draft): void {
    try {
      this.#storage.write(PREFIX + form, JSON.stringify(draft));
    } catch {
      this.remove(form); // storage full: keeping the previous draft would restore wrong values
    }
    for (const key of this.#keys().slice(MAX_DRAFTS)) this.#storage.remove(key);
  }

  remove(form: string): void {
    this.#storage.remove(PREFIX + form);
  }

  /** Newest first. */
  #keys(): readonly string[] {
    const savedAt = (key: string): string => parseDraft(this.#storage.read(key))?.savedAt ?? "";
    return this.#storage.keys(PREFIX).toSorted((a, b) => (savedAt(a) < savedAt(b) ? 1 : -1));
  }
}

/** Parses a saved form; undefined if another version saved it. */
function parseDraft(text: string | null): Draft | undefined {
  if (text === null) return undefined;
  try {
    const draft = parseExactJson(text);
    const isDraft = isObject(draft) && isObject(draft["values"]) && typeof draft["savedAt"] === "string";
    return isDraft ? (draft as unknown as Draft) : undefined; // written by write()
  } catch {
    return undefined;
  }
}
