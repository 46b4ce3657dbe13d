import { parquetWriteBuffer, type BasicType, type ColumnSource } from "hyparquet-writer";
import type { FieldType, TableValue } from "@weft/shared/records/table-record.ts";
import type { BuiltTable } from "./build-table.ts";
import { leadingColumns } from "./write-delimited.ts";

const TYPES: Readonly<Record<FieldType, BasicType>> = { number: "DOUBLE", boolean: "BOOLEAN", text: "STRING" };

/** Writes a table as Parquet: numbers as doubles; other values keep their type, and strings are unchanged. */
export function writeParquet(table: BuiltTable): Uint8Array<ArrayBuffer> {
  const leading = leadingColumns(table);
  const names = leading.names.map((name, at): ColumnSource => {
    const data = leading.rows.map((row) => row[at] ?? "");
    return { name, data, type: "STRING", nullable: false };
  });
  const columns = table.columns.map(({ label, type }, at): ColumnSource => {
    const data = table.rows.map(({ values }) => valueAs(type, values[at] ?? null));
    return {
      name: names.some(({ name }) => name === label) ? `${label}_` : label,
      data,
      type: TYPES[type],
      nullable: true,
    };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData: [...names, ...columns] }));
}

function valueAs(type: FieldType, value: TableValue): TableValue {
  return value !== null && type === "text" ? String(value) : value;
}
