import type { LogReader } from "../../journal/log-reader.ts";
import type { RunRow } from "../../journal/rows.ts";
import type { Generator } from "../folders/dataset-texts.ts";

type GeneratingRun = Pick<RunRow, "processId" | "processVersion" | "processDigest" | "processLabel" | "documentUri">;

interface GeneratorSources {
  readonly read: Pick<LogReader, "containersOfTools"> & { readonly run: (runId: string) => GeneratingRun | undefined };
  /** The version of Weft. */
  readonly version: string;
}

/** The software that made the outputs of a run: the network, the tools that ran in containers, and Weft. */
export function runGenerators(runId: string, { read, version }: GeneratorSources) {
  const run = read.run(runId);
  if (run === undefined) throw new Error(`the log has no run ${runId}`);
  const { processId, processVersion, processDigest, processLabel, documentUri } = run;
  const network: Generator = {
    Name: processId,
    Version: processVersion ?? processDigest,
    ...(processLabel === null ? {} : { Description: processLabel }),
    // A path on this machine is useless on other machines.
    ...(documentUri.startsWith("file:") ? {} : { CodeURL: documentUri }),
  };
  const tools = read.containersOfTools(runId).map(({ tool, toolVersion, engine, image, digest }): Generator => {
    const uri = digest === null ? image : `${image.replace(/@.*$/, "")}@${digest}`;
    return {
      Name: tool ?? image,
      ...(toolVersion === null ? {} : { Version: toolVersion }),
      Container: { Type: engine, Tag: image, ...(/^\w[\w.:/@-]*$/.test(uri) ? { URI: `docker://${uri}` } : {}) },
    };
  });
  return {
    label: processLabel ?? processId,
    generators: [network, ...tools, { Name: "Weft", Version: version }],
  };
}
