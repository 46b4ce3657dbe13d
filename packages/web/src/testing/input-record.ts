import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import type { InputRecord } from "@weft/shared/records/process-record.ts";

type PlainKind = "string" | "int" | "long" | "float" | "double" | "boolean" | "File" | "Directory" | "Any";

export const optional = (type: CwlTypeRecord): CwlTypeRecord => ({ kind: "union", options: [{ kind: "null" }, type] });

export const listOf = (items: CwlTypeRecord | PlainKind): CwlTypeRecord => ({ kind: "array", items: typeOf(items) });

/** An input, which is required unless it is optional or has a default. */
export function inputRecord(id: string, type: CwlTypeRecord | PlainKind, more: Partial<InputRecord> = {}): InputRecord {
  const record = typeOf(type);
  const isOptional = record.kind === "union" && record.options.some(({ kind }) => kind === "null");
  return { id, type: record, type_text: record.kind, required: !isOptional && more.default === undefined, ...more };
}

function typeOf(type: CwlTypeRecord | PlainKind): CwlTypeRecord {
  return typeof type === "string" ? { kind: type } : type;
}
