import { CwlFailure } from "../cwl-failure.ts";
import type { FileAccess } from "../files/file-access.ts";
import { joinUri } from "../files/value/file-uri.ts";
import { isObject } from "../files/value/value-kind.ts";
import type { CwlObject, CwlValue } from "../model/cwl-value.ts";

export const OUTPUT_OBJECT_FILE = "cwl.output.json";
const PLACE = `outputs (${OUTPUT_OBJECT_FILE})`;

/**
 * The output object that the program itself wrote, undefined where it wrote none. There is no limit to its size.
 * CWL v1.2 CommandLineTool.html#Output_binding.
 */
export async function readOutputObject(outdirUri: string, files: FileAccess): Promise<CwlObject | undefined> {
  const uri = joinUri(outdirUri, OUTPUT_OBJECT_FILE);
  const stat = await files.stat(uri);
  if (stat?.kind !== "file") return undefined;
  const value = parseJson(await files.readText(uri, stat.size));
  if (isObject(value)) return value;
  throw new CwlFailure("OUTPUT_INVALID", `\`${OUTPUT_OBJECT_FILE}\` must hold one JSON object`, { place: PLACE });
}

/** JSON of a program is a value from outside: that it is none is an outcome, not an exception of ours. */
function parseJson(text: string): CwlValue {
  try {
    // JSON.parse answers JSON values, which are CWL values.
    return JSON.parse(text) as CwlValue;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CwlFailure("OUTPUT_INVALID", `\`${OUTPUT_OBJECT_FILE}\` is no JSON: ${why}`, {
      place: PLACE,
      cause: error,
    });
  }
}
