import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Links } from "@weft/shared/links.ts";
import type { CwlJsonObject } from "@weft/shared/records/primitives.ts";
import { mapObjectFiles } from "../values/map-files.ts";
import { nestingOf } from "../script/nesting-of.ts";
import { RowReader } from "../journal/row-reader.ts";

/**
 * A recorded CWL object for a response: the run's own files get a URL that serves them; everything else keeps its
 * portable location.
 */
export function presentValues(text: string, links: Links): CwlJsonObject {
  const values = valuesToShow(text);
  return text.includes(RUN_FILES) ? presentPortable(values, links) : values;
}

/** Recorded values with their portable locations; an empty object if the log is damaged. */
export function valuesToShow(text: string): CwlObject {
  // The log of an earlier version may contain values that nest too deep for any answer: show them like damaged ones.
  if (nestingOf(text) > MAX_NESTING) return {};
  return new RowReader({ text }).json<CwlObject>("text", {});
}

/** Far deeper than values may nest today, but far from filling the stack. */
const MAX_NESTING = 1_000;

/** Like `presentValues`, for values that `recordValues` would write. */
export function presentPortable(values: CwlObject, links: Links): CwlJsonObject {
  return mapObjectFiles(values, (file) =>
    file.location === undefined ? file : { ...file, location: presentLocation(file.location, links) ?? file.location },
  );
}

const RUN_FILES = "weft-data://runs/";
const RUN_FILE = /^weft-data:\/\/runs\/([0-9a-f-]{36})\/(.+)$/s;

/** The URL of a file of a run; undefined for a file from elsewhere. */
export function presentLocation(uri: string, links: Links): string | undefined {
  const parts = RUN_FILE.exec(uri);
  if (parts === null) return undefined;
  return links.runFile(parts[1] ?? "", decodeURIComponent(parts[2] ?? ""));
}
