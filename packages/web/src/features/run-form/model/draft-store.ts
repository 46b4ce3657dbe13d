import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { isObject } from "../../../format/value-text.ts";
import type { InputValues } from "./form-store.ts";
import type { NamedSamples } from "./named-samples.ts";

/** Unsubmitted values of a form. */
export interface Draft {
  readonly values: InputValues;
  readonly samples: NamedSamples | undefined;
  readonly savedAt: string;
}

const PREFIX = "weft-draft:";
const MAX_DRAFTS = 20;

/**
 * Keeps one draft per form in the browser, at most twenty; drops the oldest first. If the storage is full, it saves
 * nothing.
 */
export class DraftStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  read(form: string): Draft | undefined {
    return parseDraft(this.#storage.getItem(PREFIX + form));
  }

  write(form: string, draft: Draft): void {
    try {
      this.#storage.setItem(PREFIX + form, JSON.stringify(draft));
    } catch {
      this.remove(form); // storage full: keeping the previous draft would restore wrong values
    }
    for (const key of this.#keys().slice(MAX_DRAFTS)) this.#storage.removeItem(key);
  }

  remove(form: string): void {
    this.#storage.removeItem(PREFIX + form);
  }

  /** Newest first. */
  #keys(): readonly string[] {
    const keys = Array.from({ length: this.#storage.length }, (_, place) => this.#storage.key(place) ?? "");
    const savedAt = (key: string): string => parseDraft(this.#storage.getItem(key))?.savedAt ?? "";
    return keys.filter((key) => key.startsWith(PREFIX)).sort((a, b) => (savedAt(a) < savedAt(b) ? 1 : -1));
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
