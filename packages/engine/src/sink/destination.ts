import { derivativePath, extensionOf, isDerivative, parseDerivative } from "@weft/shared/dataset/derivative-name.ts";
import type { SampleSources } from "./derivative/sample-sources.ts";
import { fillSinkTemplate, parseSinkTemplate } from "./sink-template.ts";
import type { SinkField } from "./sink-template.ts";

/** Values of fields for one file; undefined: it has none. */
export type FilledFields = Readonly<Record<SinkField, string | undefined>>;

/** The destination of the files of one output. */
export interface Destination {
  readonly root: string;
  /** Names of the folders from the root to the dataset, if it is a BIDS dataset. */
  readonly dataset?: readonly string[];
  /** The path relative to the root, or half a sentence about why a file has none. */
  readonly pathOf: (fields: FilledFields) => readonly string[] | string;
  /** The name of a secondary file of `primary`, which is called `placed` at its destination. */
  readonly besideName: (name: string, primary: string, placed: string) => string;
}

/** Parses a destination; for an invalid one, returns the problem as the end of a sentence. */
export function readDestination(text: string, sources: SampleSources): Destination | string {
  return isDerivative(text) ? inDataset(text, sources) : byTemplate(text);
}

function byTemplate(text: string): Destination | string {
  const template = parseSinkTemplate(text);
  if (typeof template === "string") return template;
  const pathOf = (fields: FilledFields) => {
    const filled = fillSinkTemplate(template, fields);
    return typeof filled === "string" ? filled : filled.path;
  };
  return { root: template.root, pathOf, besideName };
}

/** `a.bam.bai` next to `a.bam` becomes `s1.bam.bai` if that becomes `s1.bam`; `a.bai` becomes `s1.bai`. */
function besideName(name: string, primary: string, placed: string): string {
  const withoutEnd = (text: string) => text.replace(/(?<=.)\.[^.]*$/, "");
  if (primary !== "" && name.startsWith(primary)) return placed + name.slice(primary.length);
  const stem = withoutEnd(primary);
  return stem !== "" && name.startsWith(`${stem}.`) ? withoutEnd(placed) + name.slice(stem.length) : name;
}

function inDataset(text: string, sources: SampleSources): Destination | string {
  const template = parseDerivative(text);
  if (typeof template === "string") return template;
  return {
    root: template.root,
    dataset: template.dataset,
    pathOf: ({ sample_id: sample, basename = "" }) => {
      const found = sources.get(sample ?? "");
      if (found === undefined) return `has no BIDS name without a subject`;
      return derivativePath(template, found.common, basename);
    },
    // BIDS names have no dot before the extension.
    besideName: (name, _primary, placed) => placed.slice(0, placed.indexOf(".")) + extensionOf(name),
  };
}
