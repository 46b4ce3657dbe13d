import { holdsFiles } from "@weft/shared/records/holds-files.ts";
import type { OutputRecord } from "@weft/shared/records/process-record.ts";

/** Output id to a place (`vfs://ROOT/path` with fields), or to whatever is said about it. */
export type Places = Readonly<Record<string, string>>;

/** Outputs of which there may be something to copy. */
export function outputsWithFiles(outputs: readonly OutputRecord[]): readonly OutputRecord[] {
  return outputs.filter(({ type }) => holdsFiles(type));
}

/** A place for each output below a folder that no other run uses and no other output of this run. */
export function suggestedPlaces(outputs: readonly OutputRecord[], root: string): Places {
  return Object.fromEntries(outputs.map(({ id }) => [id, `vfs://${root}/{run_id}/{output}/{basename}`]));
}
