import { CwlFailure } from "../cwl-failure.ts";
import type { FileAccess } from "../files/file-access.ts";
import { checkedObject } from "../values/checked-value.ts";
import { joinUri } from "../values/file-uri.ts";
import { limitExceeded, type CwlLimits } from "../limits.ts";
import type { CwlObject } from "../model/cwl-value.ts";
import type { OutputSpace } from "./output-space.ts";

export const OUTPUT_OBJECT_FILE = "cwl.output.json";
const PLACE = `outputs (${OUTPUT_OBJECT_FILE})`;

interface ReadOptions {
  readonly outdirUri: string;
  readonly files: FileAccess;
  readonly space: OutputSpace;
  readonly limits: CwlLimits;
}

/**
 * The output object that the program itself wrote, undefined if it wrote none. Refuses a link out of the output
 * folder and never quotes the content: neither may reveal other files on this machine.
 * CWL v1.2 CommandLineTool.html#Output_binding.
 */
export async function readOutputObject(options: ReadOptions): Promise<CwlObject | undefined> {
  const { outdirUri, files, space, limits } = options;
  const uri = joinUri(outdirUri, OUTPUT_OBJECT_FILE);
  const stat = await files.stat(uri);
  if (stat?.kind !== "file") return undefined;
  const real = await space.resolveLinks(uri, PLACE);
  if (stat.size > limits.outputObjectBytes)
    throw limitExceeded("outputObjectBytes", limits, {
      what: `the size of \`${OUTPUT_OBJECT_FILE}\` (${stat.size.toLocaleString("en")} bytes)`,
      place: PLACE,
    });
  const value = parseJson(await files.readText(real, stat.size));
  return checkedObject(value, { limits, code: "OUTPUT_INVALID", place: PLACE });
}

/** JSON of a program is a value from outside: that it is none is an outcome, not an exception of ours. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes part of the text.
    throw new CwlFailure("OUTPUT_INVALID", `\`${OUTPUT_OBJECT_FILE}\` is not valid JSON`, { place: PLACE });
  }
}
