import type { ProvDocument } from "./prov-document.ts";

/** The document as W3C PROV-JSON. */
export function provJson(document: ProvDocument): Readonly<Record<string, unknown>> {
  const { prefix, ...sections } = document;
  const namespaces = { prov: "http://www.w3.org/ns/prov#", xsd: "http://www.w3.org/2001/XMLSchema#", ...prefix };
  return { prefix: namespaces, ...sections };
}
