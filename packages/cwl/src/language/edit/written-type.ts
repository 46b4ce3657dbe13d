import type { CwlType } from "../../model/cwl-type.ts";
import { typeText } from "../../model/type-text.ts";
import type { YamlValue } from "./yaml-nodes.ts";

/** The type as a document writes it, in the short form if there is one. A record without a short form becomes Any. */
export function writtenType(type: CwlType): YamlValue {
  const text = typeText(type);
  if (/^[A-Za-z]+(\[\])*\??$/.test(text)) return text;
  if (type.kind === "union") return type.options.map(writtenType);
  if (type.kind === "array") return { type: "array", items: writtenType(type.items) };
  return type.kind === "enum" ? { type: "enum", symbols: [...type.symbols] } : "Any";
}
