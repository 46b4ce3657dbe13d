import { fieldLabel } from "@weft/shared/dataset/dataset-terms.ts";
import type { ConditionOp } from "@weft/shared/records/condition-ops.ts";
import type { DatasetColumn, DatasetCondition, DatasetQuery } from "@weft/shared/records/dataset-record.ts";

/** How conditions compare, in words. */
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

/** Which files or values fill a column. */
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
