import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { DraftStore, type Draft } from "./model/draft-store.ts";
import { FormStore } from "./model/form-store.ts";
import { formKey, withoutSecrets, type FormContent, type RunTarget } from "./run-target.ts";

const SAVE_AFTER_MS = 400;

export interface DraftControl {
  readonly store: FormStore;
  /** When the restored draft was saved; undefined if there was none. */
  readonly restoredFrom: string | undefined;
  /** Deletes the draft, after starting the run or discarding it. */
  readonly drop: () => void;
}

/** The state of a form, saved in the browser while the user fills it in. Inputs of an earlier run take precedence over a draft. */
export function useDraft(target: RunTarget, { values, samples }: FormContent): DraftControl {
  const form = formKey(target);
  const drafts = useMemo(() => new DraftStore(localStorage), []);
  const [draft, setDraft] = useState<Draft | undefined>(() =>
    Object.keys(values).length > 0 ? undefined : drafts.read(form),
  );
  const [store] = useState(() =>
    draft === undefined
      ? new FormStore(withoutSecrets(target, values), samples)
      : new FormStore(draft.values, draft.samples),
  );
  const isDropped = useRef(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const save = (): void => {
      clearTimeout(timer);
      timer = undefined;
      if (!isDropped.current) saveDraft(drafts, { form, target }, store);
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
  }, [drafts, form, store, target]);
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
  if (Object.keys(values).length === 0) drafts.remove(form);
  else drafts.write(form, { values, samples: store.samples(), savedAt: new Date().toISOString() });
}
