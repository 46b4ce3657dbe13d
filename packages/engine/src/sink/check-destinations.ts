import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { isDerivative, parseDerivative } from "@weft/shared/dataset/derivative-name.ts";
import { jsonPointer } from "@weft/shared/json-pointer.ts";
import type { ProblemError } from "@weft/shared/records/problem.ts";
import type { PortableUris } from "../files/portable-uri.ts";
import { checkSinks } from "./check-sinks.ts";
import type { Sinks } from "./check-sinks.ts";
import type { SampleNames } from "./sample-names.ts";
import { findDataset } from "./derivative/dataset-folder.ts";
import { sampleSources } from "./derivative/sample-sources.ts";
import type { SinkFolders } from "./sink-folders.ts";

interface Requested {
  readonly process: Process;
  readonly values: CwlObject;
  readonly samples: SampleNames;
}

/** Reports every problem with destinations that is known before a run starts, also of the folders that they lead to. */
export async function checkDestinations(
  destinations: Sinks,
  { process, values, samples }: Requested,
  { sinks, roots }: { readonly sinks: SinkFolders; readonly roots: { readonly uris: PortableUris } },
): Promise<readonly ProblemError[]> {
  const sources = sampleSources(values, samples, roots.uris);
  const problems = checkSinks(destinations, { process, samples, sources, roots: Object.keys(sinks.folders) });
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
