import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { isObject } from "../../../format/value-text.ts";
import type { WindowStorage } from "../../../ui/window-storage.ts";
import type { InputValues } from "./form-store.ts";
import type { NamedSamples } from "./named-samples.ts";
import type { RunSettings } from "./run-settings.ts";

/** Unsubmitted values of a form. */
export interface Draft {
  readonly values: InputValues;
  readonly samples: NamedSamples | undefined;
  /** Absent in drafts of older versions. */
  readonly settings?: RunSettings;
  readonly savedAt: string;
}

const PREFIX = "weft-draft:";
const MAX_DRAFTS = 20;

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

/** Undefined for content of another version. */
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
