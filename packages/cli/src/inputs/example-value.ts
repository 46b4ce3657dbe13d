import type { CwlType } from "@weft/cwl/model/cwl-type.ts";
import type { CwlValue, FileOrDirectory } from "@weft/cwl/model/cwl-value.ts";
import { isArray, isFileOrDirectory } from "@weft/cwl/values/value-kind.ts";
import { shellWord } from "@weft/shared/records/shell-line.ts";
import { shownPath } from "../output/diagnostic-text.ts";

/** A placeholder value of a type, which people replace with their own. */
export function exampleValue(type: CwlType): CwlValue {
  switch (type.kind) {
    case "null":
      return null;
    case "boolean":
      return true;
    case "int":
    case "long":
      return 1;
    case "float":
    case "double":
      return 0.5;
    case "string":
    case "Any":
      return "text";
    case "enum":
      return type.symbols[0] ?? "";
    case "File":
      return { class: "File", path: "path/to/file" };
    case "Directory":
      return { class: "Directory", path: "path/to/folder" };
    case "array":
      return [exampleValue(type.items)];
    case "record":
      return Object.fromEntries(type.fields.map((field) => [field.name, exampleValue(field.type)]));
    case "union":
      return exampleValue(type.options.find(({ kind }) => kind !== "null") ?? { kind: "null" });
  }
}

/** A value as people write it after its flag; an array becomes one word per item. */
export function valueWords(value: CwlValue, cwd: string): readonly string[] {
  if (isArray(value)) return value.flatMap((item) => (isArray(item) ? [JSON.stringify(item)] : valueWords(item, cwd)));
  if (isFileOrDirectory(value) && (value.path ?? value.location) !== undefined) return [placeOf(value, cwd)];
  return [typeof value === "string" ? value : JSON.stringify(value)];
}

/** The words of a value on one line, quoted for a shell. */
export function valueLine(value: CwlValue, cwd: string): string {
  return valueWords(value, cwd).map(shellWord).join(" ");
}

/** The path of a File or Directory, relative to the current folder, as people write it. */
export function placeOf({ path, location = "" }: FileOrDirectory, cwd: string): string {
  return path ?? shownPath(location, cwd);
}
