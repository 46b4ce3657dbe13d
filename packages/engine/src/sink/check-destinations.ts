import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { isDerivative, parseDerivative } from "@weft/shared/dataset/derivative-name.ts";
import { jsonPointer } from "@weft/shared/json-pointer.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import { giveWay } from "../async/give-way.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import { checkSinks, type Sinks } from "./check-sinks.ts";
import { sampleSources, type SampleNames } from "./derivative/sample-sources.ts";
import { findDataset } from "./folders/dataset-folder.ts";
import type { SinkFolders } from "./folders/sink-folders.ts";

interface Requested {
  readonly process: Process;
  readonly values: CwlObject;
  readonly samples: SampleNames;
}

/** Reports every problem with destinations and their folders that is known before a run starts. */
export async function checkDestinations(
  destinations: Sinks,
  { process, values, samples }: Requested,
  { sinks, roots }: { readonly sinks: SinkFolders; readonly roots: { readonly uris: PortableUris } },
): Promise<readonly ProblemError[]> {
  const sources = sampleSources(values, samples, roots.uris);
  const context = { process, samples, sources, roots: Object.keys(sinks.folders) };
  const problems: ProblemError[] = [...sameDerivatives(destinations)];
  for (const [output, text] of Object.entries(destinations)) {
    // Checking an output takes a while if there are thousands of samples.
    await giveWay();
    problems.push(...checkSinks({ [output]: text }, context));
  }
  if (problems.length > 0) return problems;
  const found: ProblemError[] = [];
  for (const [output, text] of Object.entries(destinations)) {
    const template = isDerivative(text) ? parseDerivative(text) : "copied as it is";
    const dataset = typeof template === "string" ? undefined : await findDataset(template, sinks);
    if (dataset === undefined || !("message" in dataset)) continue;
    const { message: detail, hint } = dataset;
    found.push({ pointer: jsonPointer(["sink_data", output]), code: "not-a-derivative", detail, hint });
  }
  return found;
}

/** Files of two outputs with one destination would differ in their extensions at most. */
function sameDerivatives(destinations: Sinks): readonly ProblemError[] {
  const taken = new Map<string, string>();
  return Object.entries(destinations).flatMap(([output, text]) => {
    if (!isDerivative(text)) return [];
    const other = taken.get(text);
    taken.set(text, other ?? output);
    if (other === undefined) return [];
    const detail = `the outputs "${other}" and "${output}" have the same destination`;
    const hint = "choose another desc- or suffix for one of them";
    return [{ pointer: jsonPointer(["sink_data", output]), code: "same-name", detail, hint }];
  });
}
