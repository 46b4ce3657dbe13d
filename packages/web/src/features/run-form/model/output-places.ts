import { holdsFiles } from "@weft/shared/records/holds-files.ts";
import type { OutputRecord } from "@weft/shared/records/process-record.ts";

/** Maps output ids to destinations (`vfs://ROOT/path`, a template), or to problems with them. */
export type Places = Readonly<Record<string, string>>;

/** Outputs that can contain files. */
export function outputsWithFiles(outputs: readonly OutputRecord[]): readonly OutputRecord[] {
  return outputs.filter(({ type }) => holdsFiles(type));
}

/** A destination for each output that no other run or output uses. */
export function suggestedPlaces(outputs: readonly OutputRecord[], root: string): Places {
  return Object.fromEntries(outputs.map(({ id }) => [id, `vfs://${root}/{run_id}/{output}/{basename}`]));
}
