import { readConditions, writeConditions } from "@weft/shared/dataset/condition-text.ts";
import { fieldLabel } from "@weft/shared/dataset/dataset-terms.ts";
import { CONDITION_OPS, type ConditionOp } from "@weft/shared/records/condition-ops.ts";
import type {
  DatasetColumn,
  DatasetCondition,
  DatasetDetail,
  DatasetQuery,
} from "@weft/shared/records/dataset-record.ts";
import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { isObject } from "../../format/value-text.ts";

/** The builder's content, which may be unfinished. Conditions of columns are text, as on the command line. */
export interface QueryDraft {
  readonly where: readonly ConditionDraft[];
  readonly per: readonly string[];
  readonly columns: readonly ColumnDraft[];
}

export interface ConditionDraft {
  readonly field: string;
  readonly op: ConditionOp;
  /** Values separated by `|`. */
  readonly value: string;
}

export interface ColumnDraft {
  readonly name: string;
  readonly kind: DatasetColumn["kind"];
  /** Conditions; the field of a value; the column that a sidecar belongs to. */
  readonly detail: string;
  /** Extensions of companion files, such as `.bval .bvec`; of a sidecar, its one extension. */
  readonly companions?: string;
  readonly optional: boolean;
}

/** Choices that the builder cannot turn into a query yet, in sentences. */
export type BuiltQuery = { readonly query: DatasetQuery } | { readonly problems: readonly string[] };

/** Descriptions of the operators in conditions. */
export const OP_WORDS: Readonly<Record<ConditionOp, string>> = {
  "=": "is",
  "!=": "is not",
  ">": "is over",
  ">=": "is at least",
  "<": "is under",
  "<=": "is at most",
  exists: "exists",
  missing: "is missing",
};

/** Ignores conditions without a value. */
export function buildQuery(
  place: { readonly location: string; readonly pattern: string },
  draft: QueryDraft,
): BuiltQuery {
  const problems: string[] = [];
  const columns = draft.columns.flatMap((column): DatasetColumn[] => {
    const built = buildColumn(column);
    if (typeof built !== "string") return [built];
    problems.push(built);
    return [];
  });
  if (draft.columns.length === 0) problems.push("Add a column.");
  if (draft.per.length === 0) problems.push("Choose the unit of a sample.");
  if (problems.length > 0) return { problems };
  const where = draft.where.flatMap(({ field, op, value }) => {
    if (!takesValue(op)) return [{ field, op }];
    const values = value.split("|").map((one) => one.trim());
    return value.trim() === "" ? [] : [{ field, op, values }];
  });
  const { location, pattern } = place;
  return {
    query: { location, ...(pattern === "" ? {} : { pattern }), where, per: [...draft.per], columns },
  };
}

export function takesValue(op: ConditionOp): boolean {
  return op !== "exists" && op !== "missing";
}

function buildColumn({ name, kind, detail, companions = "", optional }: ColumnDraft): DatasetColumn | string {
  if (name.trim() === "") return "Name every column.";
  const extensions = readExtensions(companions);
  if (extensions === undefined) return `${name}: write companion files as extensions, such as .bval .bvec.`;
  const shared = { name: name.trim(), ...(optional ? { optional } : {}) };
  switch (kind) {
    case "value":
      return detail === "" ? `Choose the field of ${name}.` : { kind, ...shared, field: detail };
    case "sidecar":
      return detail === ""
        ? `Choose the column that ${name} belongs to.`
        : withExtension({ kind, ...shared, of: detail }, extensions);
    case "file":
    case "files": {
      const read = readConditions(detail);
      if ("fault" in read) return `${name}: ${read.fault}.`;
      const where = read.conditions.length === 0 ? {} : { where: read.conditions };
      return { kind, ...shared, ...where, ...(extensions.length === 0 ? {} : { secondary: extensions }) };
    }
  }
}

type Sidecar = Extract<DatasetColumn, { readonly kind: "sidecar" }>;

function withExtension(column: Sidecar, [extension, ...others]: readonly string[]): Sidecar | string {
  if (others.length > 0) return `${column.name}: a sidecar has one extension.`;
  return extension === undefined ? column : { ...column, extension };
}

/** Undefined if one of them is not an extension. */
function readExtensions(text: string): string[] | undefined {
  const extensions = text
    .split(/[\s,]+/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith(".") ? part : `.${part}`));
  return extensions.every((extension) => /^\.[A-Za-z0-9.]{1,40}$/.test(extension)) ? extensions : undefined;
}

/** The builder's content for a saved query. */
export function draftOf({ where = [], per, columns }: DatasetQuery): QueryDraft {
  return {
    where: where.map(({ field, op, values = [] }) => ({ field, op, value: values.join("|") })),
    per,
    columns: columns.map((column) => ({
      name: column.name,
      kind: column.kind,
      detail: detailOf(column),
      ...companionsOf(column),
      optional: column.optional === true,
    })),
  };
}

function companionsOf(column: DatasetColumn): Pick<ColumnDraft, "companions"> {
  if (column.kind === "sidecar") return column.extension === undefined ? {} : { companions: column.extension };
  return column.kind === "value" || column.secondary === undefined ? {} : { companions: column.secondary.join(" ") };
}

function detailOf(column: DatasetColumn): string {
  switch (column.kind) {
    case "value":
      return column.field;
    case "sidecar":
      return column.of;
    case "file":
    case "files":
      return writeConditions(column.where ?? []);
  }
}

/** The name of the first column until a network is chosen. */
const UNNAMED = "files";

/** A query to begin with: one file per subject or sample. */
export function firstDraft({ kind, fields }: Pick<DatasetDetail, "kind" | "fields">): QueryDraft {
  const columns = [{ name: UNNAMED, kind: "file", detail: "", optional: false }] as const;
  if (kind === "files") return { where: [], per: ["path"], columns };
  const suffixes = fields.find((field) => field.name === "suffix")?.values.map(({ value }) => value) ?? [];
  const suffix = suffixes.includes("T1w") ? "T1w" : (suffixes[0] ?? "");
  return { where: [{ field: "suffix", op: "=", value: suffix }], per: ["sub"], columns };
}

/** The draft for the inputs of a network: the column that was there at first fills its first list of files. */
export function forInputs(draft: QueryDraft, inputs: readonly InputRecord[]): QueryDraft {
  const list = inputs.find(({ type_text: type }) => type.startsWith("File[]"))?.id;
  const isTaken = inputs.some(({ id }) => id === UNNAMED) || draft.columns.some(({ name }) => name === list);
  if (list === undefined || isTaken) return draft;
  return {
    ...draft,
    columns: draft.columns.map((column) => (column.name === UNNAMED ? { ...column, name: list } : column)),
  };
}

/** Reads a draft from the address of the page. Undefined for a text that this page did not write. */
export function parseDraft(text: string): QueryDraft | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isDraft(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isDraft(value: unknown): value is QueryDraft {
  const { where, per, columns } = (value ?? {}) as Partial<QueryDraft>; // each part is checked
  return (
    isListOf(where, ({ field, op, value: wanted }) => isText(field) && isText(wanted) && isOp(op)) &&
    Array.isArray(per) &&
    per.every(isText) &&
    isListOf(
      columns,
      ({ name, kind, detail, companions }) =>
        isText(name) && isText(detail) && isKind(kind) && (companions === undefined || isText(companions)),
    )
  );
}

type Unchecked = Readonly<Record<string, unknown>>;

function isListOf(list: unknown, isOne: (part: Unchecked) => boolean): boolean {
  return Array.isArray(list) && list.every((part) => isObject(part) && isOne(part));
}

function isText(part: unknown): boolean {
  return typeof part === "string";
}

function isOp(op: unknown): boolean {
  return CONDITION_OPS.some((known) => known === op);
}

export const COLUMN_KINDS: readonly { readonly id: DatasetColumn["kind"]; readonly label: string }[] = [
  { id: "file", label: "One file" },
  { id: "files", label: "All files" },
  { id: "sidecar", label: "JSON sidecar of" },
  { id: "value", label: "Value of" },
];

function isKind(kind: unknown): boolean {
  return COLUMN_KINDS.some(({ id }) => id === kind);
}

/** The meaning of a query: `Suffix is T1w, and age is over 60`. */
export function conditionsInWords(where: readonly DatasetCondition[]): string {
  return where.map(conditionInWords).join(", and ");
}

function conditionInWords({ field, op, values = [] }: DatasetCondition): string {
  return [fieldLabel(field), OP_WORDS[op], values.join(" or ")].join(" ").trim();
}

/** The unit of a query: `subject and session`. */
export function unitInWords(per: DatasetQuery["per"]): string {
  return per.map((field) => (field === "path" ? "file" : fieldLabel(field).toLowerCase())).join(" and ");
}

/** Describes the files or values that fill a column. */
export function columnInWords(column: DatasetColumn): string {
  switch (column.kind) {
    case "value":
      return `${column.name}: value of ${fieldLabel(column.field).toLowerCase()}`;
    case "sidecar":
      return `${column.name}: ${column.extension ?? ".json"} file of ${column.of}`;
    case "file":
    case "files": {
      const conditions = conditionsInWords(column.where ?? []);
      const companions = (column.secondary ?? []).join(", ");
      const files = column.kind === "file" ? "one file" : "all files";
      return `${column.name}: ${files}${conditions === "" ? "" : `, ${conditions}`}${companions === "" ? "" : `, with ${companions}`}`;
    }
  }
}
