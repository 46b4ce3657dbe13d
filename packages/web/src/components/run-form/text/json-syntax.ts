import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { locateJsonError } from "@weft/shared/json/locate-json-error.ts";
import { isObject } from "../../../format/value-text.ts";
import type { InputSyntax, ReadInputs } from "./input-syntax.ts";

/** The inputs as a JSON object, in the format of POST /api/runs. */
export const jsonSyntax: InputSyntax = {
  id: "json",
  label: "JSON",
  read,
  write: (values) => `${JSON.stringify(values, null, 2)}\n`,
};

function read(text: string): ReadInputs {
  const fault = locateJsonError(text);
  if (fault !== undefined) return { fault: `Line ${fault.line}, column ${fault.column}: expected ${fault.expected}` };
  const values = parseExactJson(text);
  return isObject(values) ? { values } : { fault: "Line 1, column 1: Inputs must be an object: { … }" };
}
