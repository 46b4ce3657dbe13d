import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { isFileOrDirectory } from "../values/map-files.ts";

/** Matches the placeholders that replace secrets in all records and pages. */
const PLACEHOLDER = /\(secret-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\)/g;

/** The minimum length of secrets that are searched for; shorter strings occur by chance. */
const MIN_SOUGHT = 4;

export function holdsPlaceholder(text: string): boolean {
  return text.search(PLACEHOLDER) >= 0;
}

/**
 * The secrets of one run. Everything that the engine plans, records and shows contains placeholders. The texts replace
 * them only for the job: in its command line, its environment and the files written for it.
 */
export class RunSecrets {
  readonly texts: ReadonlyMap<string, string>;
  readonly #sought: readonly (readonly [string, string])[];

  /** `texts`: placeholder → secret. */
  constructor(texts: ReadonlyMap<string, string>) {
    this.texts = texts;
    this.#sought = [...texts]
      .flatMap(([placeholder, text]) => spellings(text).map((spelling) => [spelling, placeholder] as const))
      .filter(([spelling]) => spelling.length >= MIN_SOUGHT)
      // Longer secrets come first, because one secret may be part of another.
      .toSorted(([left], [right]) => right.length - left.length);
  }

  get isEmpty(): boolean {
    return this.texts.size === 0;
  }

  /** Replaces placeholders with secrets. */
  reveal(text: string): string {
    return this.isEmpty ? text : text.replace(PLACEHOLDER, (found) => this.texts.get(found) ?? found);
  }

  /** Replaces every secret of at least four characters with its placeholder: plain, in base64 or URL-encoded. */
  redact(text: string): string {
    return this.#sought.reduce((rest, [spelling, placeholder]) => rest.replaceAll(spelling, placeholder), text);
  }

  /** Replaces strings in the outputs of a job that equal a secret with its placeholder. */
  conceal(values: CwlObject): CwlObject {
    if (this.isEmpty) return values;
    const placeholders = new Map([...this.texts].map(([placeholder, text]) => [text, placeholder]));
    return mapTexts(values, (text) => placeholders.get(text) ?? text) as CwlObject; // an object stays one
  }
}

export const NO_SECRETS = new RunSecrets(new Map());

function spellings(text: string): readonly string[] {
  return [...new Set([text, Buffer.from(text).toString("base64"), encodeURIComponent(text.toWellFormed())])];
}

/** A copy with `change` applied to each string, except those in Files and Directories. */
export function mapTexts(value: CwlValue, change: (text: string) => string): CwlValue {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null || isFileOrDirectory(value)) return value;
  if (Array.isArray(value)) return value.map((item: CwlValue) => mapTexts(item, change));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]));
}
