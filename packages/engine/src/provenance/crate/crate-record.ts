import { hash } from "node:crypto";
import { ref, type CrateGraph } from "./crate-graph.ts";

/** A file of the crate that describes the run. */
export interface CrateRecord {
  readonly name: string;
  readonly text: string;
  readonly title: string;
  readonly mediaType: string;
}

export function textFacts(text: string) {
  return { contentSize: String(Buffer.byteLength(text)), sha256: hash("sha256", text) };
}

/** Adds a file of the crate as an entity. Returns its id. */
export function addRecord(graph: CrateGraph, { name, text, title, mediaType }: CrateRecord, about: string): string {
  return graph.add({
    "@id": name,
    "@type": "File",
    name: title,
    about: ref(about),
    encodingFormat: mediaType,
    ...textFacts(text),
  });
}
