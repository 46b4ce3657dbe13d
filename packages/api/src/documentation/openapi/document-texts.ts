import { textEntityTag } from "../../http/entity-tag.ts";

/** A document as it is sent. */
export interface DocumentText {
  readonly text: string;
  readonly entityTag: string;
}

/** A document for each base address that people use; there are as many as names that we answer for. */
export class DocumentTexts {
  readonly #create: (base: string) => unknown;
  readonly #texts = new Map<string, DocumentText>();

  constructor(create: (base: string) => unknown) {
    this.#create = create;
  }

  get(base: string): DocumentText {
    const known = this.#texts.get(base);
    if (known !== undefined) return known;
    const text = JSON.stringify(this.#create(base));
    const made = { text, entityTag: textEntityTag(text) };
    this.#texts.set(base, made);
    return made;
  }
}
