import { ENTITY_LABELS, fieldName } from "./dataset-terms.ts";
import type { Companions } from "./find-companions.ts";
import type { DatasetIndex, IndexedFile } from "./index-dataset.ts";
import type { Fields } from "./read-bids-name.ts";

/** Looks up the value of a field for a file, by the name that a query gives it. */
export interface FieldReader {
  /** `name`: from file names; `table`: from a table of subjects or sessions; `json`: from sidecars. */
  readonly kind: "name" | "table" | "json";
  /** The name in messages. */
  readonly name: string;
  /** Undefined if the file has no value. */
  readonly valueOf: (file: Pick<IndexedFile, "fields" | "path">) => string | undefined;
}

/** Finds the reader of a field; undefined if neither file names nor tables of the dataset have the field. */
export function findField(field: string, index: DatasetIndex, companions: Companions): FieldReader | undefined {
  if (field.startsWith("json.") && index.kind === "bids") return jsonField(field, companions);
  const name = index.kind === "bids" ? fieldName(field) : field;
  if (name === "path") return { kind: "name", name, valueOf: ({ path }) => path };
  if (isOfNames(name, index)) return { kind: "name", name, valueOf: ({ fields }) => own(fields, name) };
  const [, table, column = field] = /^(participants|sessions)\.(.+)$/.exec(field) ?? [];
  if (table !== "sessions" && index.participantColumns.includes(column))
    return {
      kind: "table",
      name: column,
      valueOf: ({ fields }) => own(index.participants.get(own(fields, "sub") ?? ""), column),
    };
  if (table !== "participants" && index.sessionColumns.includes(column)) {
    const rowOf = (fields: Fields) => index.sessions.get(`${own(fields, "sub")}/${own(fields, "ses")}`);
    return { kind: "table", name: column, valueOf: ({ fields }) => own(rowOf(fields), column) };
  }
  return undefined;
}

function isOfNames(name: string, { kind, files }: DatasetIndex): boolean {
  const isKnown =
    kind === "bids" && (Object.hasOwn(ENTITY_LABELS, name) || ["suffix", "extension", "datatype"].includes(name));
  return isKnown || files.some(({ fields }) => Object.hasOwn(fields, name));
}

function jsonField(field: string, companions: Companions): FieldReader {
  const key = field.slice("json.".length);
  return {
    kind: "json",
    name: key,
    valueOf: (file) => {
      const metadata = companions.metadata({ ...file });
      const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
      if (value === undefined || value === null) return undefined;
      return typeof value === "string" ? value : JSON.stringify(value);
    },
  };
}

function own(fields: Fields | undefined, name: string): string | undefined {
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
}
