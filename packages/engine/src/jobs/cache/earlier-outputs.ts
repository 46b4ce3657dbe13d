import type { CwlObject, CwlValue, FileValue } from "@weft/cwl/model/cwl-value.ts";
import { undefinedIfMissing } from "../../files/undefined-if-missing.ts";
import { isFileOrDirectory } from "../../values/map-files.ts";
import { isRemote } from "../../files/remote/remote-url.ts";
import { restoreValues } from "../../values/record-values.ts";
import type { ReusableJob } from "../../journal/read-cache.ts";
import type { JobRow } from "../../journal/rows.ts";
import type { FileContents } from "./file-contents.ts";
import { fileName, valueDigest } from "./value-digest.ts";
import type { RunLog } from "../../journal/run-log.ts";

/** The outputs of a successful job, with `file:` locations. */
export function earlierOutputs({ outputs }: JobRow, { journal, uris }: RunLog): CwlObject {
  return outputs === null ? {} : restoreValues(journal.read.blob(outputs), uris);
}

/**
 * Why the result of an earlier job cannot be reused: an output is missing or has changed. Compares every byte, except
 * in files not touched since they were last hashed.
 */
export async function findDamage(
  { row, outputs }: ReusableJob,
  log: RunLog,
  contents: FileContents,
): Promise<{ readonly name: string; readonly message: string } | undefined> {
  for (const [name, value] of Object.entries(earlierOutputs(row, log))) {
    const state = await stateOf(value, outputs[name], contents);
    if (state !== undefined) return { name, message: `its output ${described(name, value)} ${state}` };
  }
  return undefined;
}

async function stateOf(value: CwlValue, expected: string | undefined, contents: FileContents) {
  const reading = {
    // A URL below a data folder that is no longer configured leads nowhere.
    checksumOf: async ({ location }: FileValue & { readonly location: string }) =>
      location.startsWith("file:") || isRemote(location) ? contents.checksum(location) : "unknown",
    folder: async (uri: string) => (uri.startsWith("file:") ? contents.folder(uri) : "unknown"),
  };
  const digest = await valueDigest(value, reading).catch(undefinedIfMissing);
  if (digest === undefined) return "no longer exists on disk";
  return digest === expected ? undefined : "has changed on disk";
}

function described(name: string, value: CwlValue): string {
  return isFileOrDirectory(value) ? `${name} (${fileName(value)})` : name;
}
