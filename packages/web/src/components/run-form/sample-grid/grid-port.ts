import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import type { InputRecord } from "@weft/shared/records/process-record.ts";
import { type FileValue, isFileValue } from "../../../format/value-text.ts";
import { checkValue } from "../model/check-value.ts";
import { choicesOf } from "../model/cwl-type-facts.ts";
import { asFormat, fileAddress, namedFormats } from "../model/file-format.ts";
import type { InputValues } from "../model/form-store.ts";
import { cellValue, filesByName, filesIn } from "./map-sheet.ts";
import { entryType } from "./scattered-inputs.ts";

/** A column of the grid: a scattered input, and the type of its cells. */
export interface GridPort {
  readonly id: string;
  readonly label: string;
  readonly isRequired: boolean;
  /** Type of one element. */
  readonly items: CwlTypeRecord;
  /** Set for files and folders. */
  readonly fileKind: "File" | "Directory" | undefined;
  readonly formats: readonly string[];
  /** Allowed values, if the list is short. */
  readonly choices: readonly string[];
}

export function portsOf(inputs: readonly InputRecord[]): readonly GridPort[] {
  return inputs.flatMap((input): readonly GridPort[] => {
    const items = entryType(input.type);
    const [type] = items === undefined ? [] : choicesOf(items);
    if (items === undefined || type === undefined) return [];
    return [
      {
        id: input.id,
        label: input.label ?? input.id,
        isRequired: input.required,
        items,
        fileKind: type.kind === "File" || type.kind === "Directory" ? type.kind : undefined,
        formats: namedFormats(input.format),
        choices: type.kind === "enum" ? type.symbols : type.kind === "boolean" ? ["true", "false"] : [],
      },
    ];
  });
}

/** The value of a cell as text, for editing and the clipboard. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (isFileValue(value)) return fileAddress(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Files already in the form, by name or location. */
export type KnownFiles = ReadonlyMap<string, FileValue>;

export function knownFiles(values: InputValues): KnownFiles {
  return new Map([...filesIn(values).map((file) => [fileAddress(file), file] as const), ...filesByName(values)]);
}

/** Parses the text of a cell. Invalid text stays text, and is marked. */
export function readCell(port: GridPort, text: string, known: KnownFiles): unknown {
  const cell = text.trim();
  if (cell === "") return null;
  const file = port.fileKind === undefined ? undefined : known.get(cell);
  const value = file?.class === port.fileKind && file !== undefined ? file : cellValue(port.items, cell);
  return isFileValue(value) ? asFormat(value, port.formats) : value;
}

/** The problem of a value; empty cells are checked only on submission. */
export function faultOfCell(port: GridPort, value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : checkValue(port.items, value, [])[0]?.message;
}
