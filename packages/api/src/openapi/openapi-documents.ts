import { hash } from "node:crypto";
import { createOpenApiDocument } from "./create-openapi-document.ts";

/** /swagger.json as it is sent. */
export interface OpenApiText {
  readonly text: string;
  readonly entityTag: string;
}

/** The document for each base address that people use; there are as many as names that we answer for. */
export class OpenApiDocuments {
  readonly #version: string;
  readonly #texts = new Map<string, OpenApiText>();

  constructor(version: string) {
    this.#version = version;
  }

  get(base: string): OpenApiText {
    const known = this.#texts.get(base);
    if (known !== undefined) return known;
    const text = JSON.stringify(createOpenApiDocument(base, this.#version));
    const made = { text, entityTag: `W/"${hash("sha256", text, "base64url").slice(0, 22)}"` };
    this.#texts.set(base, made);
    return made;
  }
}
