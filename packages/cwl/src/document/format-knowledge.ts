import type { IsSubformat } from "../check/check-format.ts";
import { formatOntology } from "../check/format-ontology.ts";
import type { LoadedDocument } from "./load-document.ts";

/** The declarations about file formats in a document, which apply to the whole run. */
export interface FormatKnowledge {
  /** Prefix to IRI, for formats of input Files whose own document does not declare the prefix. */
  readonly namespaces: ReadonlyMap<string, string>;
  readonly isSubformat: IsSubformat;
}

/** The ontologies are parsed when two formats differ for the first time: they can be megabytes, and few runs need them. */
export function formatKnowledge({
  namespaces,
  schemas,
}: Pick<LoadedDocument, "namespaces" | "schemas">): FormatKnowledge {
  let ontology: IsSubformat | undefined;
  const isSubformat: IsSubformat = (actual, expected) => {
    ontology ??= formatOntology(schemas.map(({ text }) => text));
    return ontology(actual, expected);
  };
  return { namespaces, isSubformat };
}
