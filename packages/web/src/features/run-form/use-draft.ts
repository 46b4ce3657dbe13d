import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { WindowStorage } from "../../ui/window-storage.ts";
import { DraftStore, type Draft } from "./model/draft-store.ts";
import { FormStore } from "./model/form-store.ts";
import { START_SETTINGS, type RunSettings } from "./model/run-settings.ts";
import { withoutSecrets, type FormContent, type RunTarget } from "./run-target.ts";

const SAVE_AFTER_MS = 400;

export interface DraftControl {
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
