import { readConditions } from "@weft/shared/dataset/condition-text.ts";
import type { DatasetColumn, DatasetCondition, DatasetQuery } from "@weft/shared/records/dataset-record.ts";
import { UsageError } from "../exit/exit.ts";
import type { Settings } from "../settings/read-settings.ts";

const PER: Readonly<Record<string, string[]>> = { subject: ["sub"], session: ["sub", "ses"], file: ["path"] };

/** A query from `--where`, `--per`, `--column` and `--pattern`. */
export function readDatasetQuery(location: string, settings: Settings): DatasetQuery {
  const pattern = settings.text("pattern");
  const columns = settings.list("column").map(readColumn);
  if (columns.length === 0) throw new UsageError("a query needs at least one --column, such as --column images");
  return {
    location,
    ...(pattern === undefined ? {} : { pattern }),
    where: settings.list("where").flatMap((text) => conditionsOf(text, "--where")),
    per: readPer(settings.text("per"), pattern !== undefined),
    columns,
  };
}

/** In a folder with a pattern, `subject` and `session` are ordinary fields. */
function readPer(text: string | undefined, hasPattern: boolean): string[] {
  const { [text ?? (hasPattern ? "file" : "subject")]: fields } = PER;
  if (fields !== undefined && (!hasPattern || fields[0] === "path")) return fields;
  return (text ?? "").split(",").map((field) => field.trim());
}

function conditionsOf(text: string, flag: string): DatasetCondition[] {
  const read = readConditions(text);
  if ("conditions" in read) return read.conditions;
  throw new UsageError(`${flag}: ${read.fault}`);
}

/**
 * `NAME[?][: suffix=T1w, …]` one file, `NAME[]: …` all files, `NAME=FIELD` a value, `NAME<OTHER.json` the sidecar of
 * another column. `?` makes it optional; `+.json` after the name adds companion files.
 */
function readColumn(text: string): DatasetColumn {
  const [, name = "", many, companions = "", optional, rest = ""] =
    /^([^\s:=<?+[\]]+)(\[\])?((?:\+\.[A-Za-z0-9.]+)*)(\?)?\s*((?:[:=<][^]*)?)$/.exec(text) ?? [];
  if (name === "")
    throw new UsageError(`--column: "${text}" is not a column; write NAME, "NAME: suffix=T1w" or NAME=FIELD`);
  const shared = { name, ...(optional === undefined ? {} : { optional: true }) };
  if (rest.startsWith("=")) return { kind: "value", ...shared, field: rest.slice(1).trim() };
  if (rest.startsWith("<")) return sidecarOf(shared, rest.slice(1).trim());
  const where = conditionsOf(rest.slice(1), `--column ${name}`);
  const secondary = companions.split("+").filter((extension) => extension !== "");
  return {
    kind: many === undefined ? "file" : "files",
    ...shared,
    ...(where.length === 0 ? {} : { where }),
    ...(secondary.length === 0 ? {} : { secondary }),
  };
}

function sidecarOf(shared: { readonly name: string; readonly optional?: boolean }, text: string): DatasetColumn {
  const dot = text.indexOf(".");
  if (dot === -1) return { kind: "sidecar", ...shared, of: text };
  return { kind: "sidecar", ...shared, of: text.slice(0, dot), extension: text.slice(dot) };
}
