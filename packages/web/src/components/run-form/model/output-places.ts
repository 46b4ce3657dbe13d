import { type BidsSource, bidsSource, commonFields } from "@weft/shared/dataset/bids-source.ts";
import { SUFFIXES } from "@weft/shared/dataset/dataset-terms.ts";
import { derivativePath, isDerivative, parseDerivative } from "@weft/shared/dataset/derivative-name.ts";
import { holdsFiles } from "@weft/shared/records/holds-files.ts";
import type { OutputRecord } from "@weft/shared/records/process-record.ts";
import { isFileValue } from "../../../format/value-text.ts";
import type { InputValues } from "./form-store.ts";

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

/** The files of a BIDS dataset that the first sample is made of; empty if the inputs have none. */
export function firstSources(values: InputValues): readonly BidsSource[] {
  return Object.values(values).flatMap((value) => {
    const [first] = [value].flat(2);
    return isFileValue(first) ? (bidsSource(first.location ?? "") ?? []) : [];
  });
}

/** A destination in one BIDS dataset for each output with a list of files; the others keep theirs. */
export function suggestedDerivatives(
  outputs: readonly OutputRecord[],
  { root, dataset, places }: { readonly root: string; readonly dataset: string; readonly places: Places },
): Places {
  const lists = outputs.filter(({ type }) => type.kind === "array");
  return { ...places, ...Object.fromEntries(lists.map(({ id }) => [id, `bids://${root}/${dataset}/${nameOf(id)}`])) };
}

/** `mask` for `masks`, because BIDS has that suffix; otherwise a description: `desc-thickMap` for `thick_map`. */
function nameOf(id: string): string {
  const suffix = [id, id.replace(/s$/, "")].find((name) => SUFFIXES.has(name));
  const label = id.replaceAll(/[^a-zA-Z0-9]+([a-zA-Z0-9]?)/g, (_, letter: string) => letter.toUpperCase());
  return suffix ?? `desc-${label}`;
}

/**
 * The meaning of a destination for the first sample. Undefined for one that is not in a BIDS dataset, or without known
 * sources.
 */
export function previewDerivative(
  place: string,
  sources: readonly BidsSource[] | undefined,
): { readonly example: string } | { readonly fault: string } | undefined {
  if (!isDerivative(place)) return undefined;
  const template = parseDerivative(place.trim());
  if (typeof template === "string") return { fault: `This destination ${template}.` };
  if (sources === undefined) return undefined;
  if (sources.length === 0) return { fault: "The samples have no files of a BIDS dataset." };
  const path = derivativePath(template, commonFields(sources), "x.nii");
  if (typeof path === "string") return { fault: `This destination ${path}.` };
  const example = path.join("/");
  // The extension of an output is unknown until the output exists.
  return { example: template.extension === undefined ? example.replace(/\.nii$/, ".…") : example };
}
