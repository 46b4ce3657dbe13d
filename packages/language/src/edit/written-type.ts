import type { CwlType } from "@weft/cwl/model/cwl-type.ts";
import { typeText } from "@weft/cwl/model/type-text.ts";
import type { YamlValue } from "./yaml-nodes.ts";

/** The type in the notation of documents, in its short form if it has one. Records become Any. */
export function writtenType(type: CwlType): YamlValue {
  const text = typeText(type);
  if (/^[A-Za-z]+(\[\])*\??$/.test(text)) return text;
  if (type.kind === "union") return type.options.map(writtenType);
  if (type.kind === "array") return { type: "array", items: writtenType(type.items) };
  return type.kind === "enum" ? { type: "enum", symbols: [...type.symbols] } : "Any";
}
