import type { StagingEntry } from "@weft/cwl/model/job-plan.ts";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import { filesOf, isFileOrDirectory } from "../../values/map-files.ts";
import type { Job } from "../job.ts";
import { containerPart } from "./container-part.ts";
import { differenceText, explainMiss } from "./explain-miss.ts";
import type { FileContents } from "./file-contents.ts";
import { jobKey, withChecksums } from "./job-key.ts";
import type { JobKey } from "../../journal/recorded-cache.ts";
import type { ReusableResult } from "@weft/shared/events/job-events.ts";
import { valueDigests } from "./value-digest.ts";
import { errorText } from "../../error-text.ts";

/** A successful job. */
export interface FinishedJob {
  readonly outputs: CwlObject;
  /** Its container. */
  readonly container: JobContainer | undefined;
  readonly staging: readonly StagingEntry[];
}

/**
 * Whether later jobs may reuse the result of a job that has just ended: only if everything in its key is unchanged
 * since the key was computed, perhaps hours ago. Returns what to record, or a sentence that says why not; undefined if
 * the job has no cache key.
 */
export async function keepResult(
  job: Job,
  finished: FinishedJob,
  contents: FileContents,
): Promise<ReusableResult | string | undefined> {
  const key = job.reuse?.key;
  if (key === undefined) return undefined;
  const stranger = findStranger(job, finished.staging);
  if (stranger !== undefined)
    return `its working directory contains ${stranger}, which an expression names by location`;
  try {
    const now = await jobKey(job, contents, containerPart(finished.container));
    if (now.key !== key.key) return `something changed meanwhile: ${changeOf(job, now, key)}`;
    return { key: key.key, outputs: await outputDigests(finished.outputs, contents) };
  } catch (error) {
    return `its inputs and outputs could not be read again: ${errorText(error)}`;
  }
}

/** Outputs were hashed moments ago, during collection. */
function outputDigests(outputs: CwlObject, contents: FileContents) {
  return valueDigests(outputs, {
    checksumOf: async ({ checksum, location }) => checksum ?? contents.checksum(location),
    folder: (uri) => contents.folder(uri),
  });
}

function changeOf({ inputs }: Job, now: JobKey, before: JobKey): string {
  const tool = { id: null, version: null, class: "CommandLineTool" } as const;
  return differenceText(
    explainMiss(
      { parts: now.parts, tool, inputs: withChecksums(inputs, now.checksums) },
      { parts: before.parts, tool, inputs: withChecksums(inputs, before.checksums) },
    ),
  );
}

/**
 * A file in the working directory that the key does not cover: neither an input nor named literally by the document.
 */
function findStranger({ inputs, requirements }: Job, staging: readonly StagingEntry[]): string | undefined {
  const named = requirements.get("InitialWorkDirRequirement")?.listing ?? [];
  const listed =
    typeof named === "string" ? [] : named.flatMap((entry) => (entry.kind === "value" ? [entry.value] : []));
  const known = filesOf({ ...inputs, "": listed.filter(isFileOrDirectory) }).flatMap(({ file }) => file.location ?? []);
  const places = new Set(known);
  for (const entry of staging) {
    if ((entry.kind !== "link" && entry.kind !== "copy") || places.has(entry.source)) continue;
    if (!known.some((uri) => entry.source.startsWith(uri.endsWith("/") ? uri : `${uri}/`))) return entry.source;
  }
  return undefined;
}
