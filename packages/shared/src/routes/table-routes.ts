import { z } from "zod";
import { runIdSchema } from "../records/primitives.ts";
import {
  MAX_OTHER_RUNS,
  MAX_TABLE_FIELDS,
  TABLE_FORMATS,
  tableFieldsSchema,
  tablePageSchema,
} from "../records/table-record.ts";
import { wholeQuery } from "./parameters.ts";
import { routesOf, type RouteTable } from "./route.ts";

/** A list in one parameter, separated by commas. */
const listOf = <Item extends z.ZodType<string, string>>(item: Item, most: number, description: string) =>
  z
    .string()
    .max(8_000)
    .transform((text) => [...new Set(text.split(",").filter((part) => part !== ""))])
    .pipe(z.array(item).max(most))
    .optional()
    .meta({ description, type: "string" });

const othersShape = {
  with: listOf(runIdSchema, MAX_OTHER_RUNS, `Up to ${MAX_OTHER_RUNS} further runs, separated by commas`),
};
const fieldsShape = {
  fields: listOf(
    z.string().min(1).max(1_000),
    MAX_TABLE_FIELDS,
    `IDs of fields, separated by commas; absent: the first ${MAX_TABLE_FIELDS}`,
  ),
};

/** The results of a cohort as one table. */
export const tableRoutes = routesOf("runs", {
  "GET /api/runs/{run_id}/table/fields": {
    operationId: "listTableFields",
    access: "viewer",
    summary: "List what a table of samples can contain",
    description:
      "Inputs and outputs of each sample, and the values in its JSON, CSV and TSV outputs. Weft looks into the files of some samples.",
    query: z.object(othersShape),
    answers: { 200: { description: "The fields", schema: tableFieldsSchema } },
  },
  "GET /api/runs/{run_id}/table": {
    operationId: "readTable",
    access: "viewer",
    summary: "Read inputs and results as a table with a row for each sample",
    query: z.object({
      ...othersShape,
      ...fieldsShape,
      from: wholeQuery(0, 10_000_000, "Absent: 0"),
      page_size: wholeQuery(1, 5000, "Absent: 1,000"),
    }),
    answers: { 200: { description: "Rows of the table", schema: tablePageSchema } },
  },
  "GET /api/runs/{run_id}/table/export": {
    operationId: "exportTable",
    access: "viewer",
    summary: "Download a table of samples as CSV, TSV or Parquet",
    description:
      "In CSV and TSV, a text that a spreadsheet would take for a formula begins with an apostrophe. Parquet contains values unchanged.",
    query: z.object({
      ...othersShape,
      ...fieldsShape,
      format: z.enum(TABLE_FORMATS).optional().describe("Absent: csv"),
    }),
    answers: {
      200: {
        description: "The file",
        mediaTypes: ["text/csv", "text/tab-separated-values", "application/vnd.apache.parquet"],
      },
    },
  },
} as const satisfies RouteTable);
