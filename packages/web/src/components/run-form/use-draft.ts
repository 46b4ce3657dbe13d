import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { isObject } from "../../format/value-text.ts";
import { WindowStorage } from "../../ui/window-storage.ts";
import type { InputValues } from "./model/form-store.ts";
import { FormStore } from "./model/form-store.ts";
import type { NamedSamples } from "./model/named-samples.ts";
import { type RunSettings, START_SETTINGS } from "./model/run-settings.ts";
import { type FormContent, type RunTarget, withoutSecrets } from "./run-target.ts";

const SAVE_AFTER_MS = 400;

interface DraftControl {
  readonly store: FormStore;
  /** When the restored draft was saved; undefined if there was none. */
  readonly restoredFrom: string | undefined;
  /** Deletes the draft, after starting the run or discarding it. */
  readonly drop: () => void;
}

/** The initial values of a form, unless there is a draft. */
export interface FormBeginning extends FormContent {
  readonly settings: RunSettings;
}

const PREFIX = "weft-draft:";
const MAX_DRAFTS = 20;

/** The state of a form, saved in the browser under its name while the user fills it in. */
export function useDraft(form: string, target: RunTarget, beginning: FormBeginning): DraftControl {
  const [drafts] = useState(() => new DraftStore(new WindowStorage()));
  const [draft, setDraft] = useState<Draft | undefined>(() => drafts.read(form));
  const [store] = useState(() => {
    const { values, samples, settings } = draft ?? { ...beginning, values: withoutSecrets(target, beginning.values) };
    return new FormStore(values, samples, { ...START_SETTINGS, ...settings });
  });
  const isDropped = useRef(false);
  const keep = useEffectEvent(() => {
    if (!isDropped.current) saveDraft(drafts, { form, target }, store);
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const save = (): void => {
      clearTimeout(timer);
      timer = undefined;
      keep();
    };
    const unsubscribe = store.subscribe(() => {
      isDropped.current = false;
      timer ??= setTimeout(save, SAVE_AFTER_MS);
    });
    const saveNow = (): void => void (timer !== undefined && save());
    globalThis.addEventListener("pagehide", saveNow);
    return () => {
      saveNow();
      unsubscribe();
      globalThis.removeEventListener("pagehide", saveNow);
    };
  }, [store]);
  const drop = useCallback(() => {
    isDropped.current = true;
    drafts.remove(form);
    setDraft(undefined);
  }, [drafts, form]);
  return { store, restoredFrom: draft?.savedAt, drop };
}

function saveDraft(
  drafts: DraftStore,
  { form, target }: { readonly form: string; readonly target: RunTarget },
  store: FormStore,
): void {
  const values = withoutSecrets(target, store.values());
  const settings = store.settings();
  const isEmpty = Object.keys(values).length === 0 && settings === START_SETTINGS;
  if (isEmpty) drafts.remove(form);
  else drafts.write(form, { values, samples: store.samples(), settings, savedAt: new Date().toISOString() });
}

/** Unsubmitted values of a form. */
export interface Draft {
  readonly values: InputValues;
  readonly samples: NamedSamples | undefined;
  /** The settings; absent in forms that older versions saved. */
  readonly settings?: RunSettings;
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
