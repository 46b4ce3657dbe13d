import { hash } from "node:crypto";
import { canonicalTool } from "@weft/cwl/document/canonical-tool.ts";
import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import type { RequirementSet } from "@weft/cwl/model/effective-requirements.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import type { Requirement, RequirementClass } from "@weft/cwl/model/requirement.ts";
import { canonicalText } from "../../values/canonical-text.ts";
import { isFileOrDirectory, mapObjectFiles } from "../../values/map-files.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import type { BoundJob } from "../job.ts";
import type { FileContents } from "./file-contents.ts";
import type { KeyParts } from "@weft/shared/events/job-events.ts";
import { fileName, shortDigest, valueDigest, valueDigests, type Contents } from "./value-digest.ts";

export type Digests = KeyParts["inputs"];

export interface JobKey {
  /** SHA-256 of the parts: equal for jobs that must have equal results. */
  readonly key: string;
  readonly parts: KeyParts;
  /** `sha1$…` of every File of the inputs, by location. */
  readonly checksums: ReadonlyMap<string, string>;
}

/**
 * Requirements that change the results of a tool. Resources and the container have their own parts of the key, and
 * types belong to the tool. Time limits do not change the results of a successful job.
 */
const BEHAVIOR_REQUIREMENTS = [
  "InlineJavascriptRequirement",
  "LoadListingRequirement",
  "InitialWorkDirRequirement",
  "EnvVarRequirement",
  "ShellCommandRequirement",
  "SoftwareRequirement",
  "NetworkAccess",
] as const satisfies readonly RequirementClass[];

/** The key of a job with bound inputs. `container`: see containerPart. Rejects if an input cannot be read. */
export async function jobKey(
  job: Pick<BoundJob, "process" | "requirements" | "inputs" | "resources">,
  contents: FileContents,
  container: string,
): Promise<JobKey> {
  const checksums = new Map<string, string>();
  const reading: Contents = {
    checksumOf: async ({ location }) => {
      const checksum = await contents.checksum(location);
      checksums.set(location, checksum);
      return checksum;
    },
    folder: (uri) => contents.folder(uri),
  };
  const { coresMin, ramMin, tmpdirMin, outdirMin } = job.resources;
  const parts: KeyParts = {
    v: 1,
    tool: toolDigest(job.process),
    requirements: requirementDigests(job.requirements),
    container,
    resources: { cores: Math.max(1, Math.ceil(coresMin)), ram: ramMin, tmpdir: tmpdirMin, outdir: outdirMin },
    environment: container === "none" ? machineDigests() : {},
    files: await workDirDigests(job.requirements, reading),
    inputs: await valueDigests(job.inputs, reading),
  };
  return { key: hash("sha256", canonicalText(parts)), parts, checksums };
}

const tools = new WeakMap<Process, string>();

function toolDigest(process: Process): string {
  const known = tools.get(process);
  if (known !== undefined) return known;
  const digest = shortDigest(JSON.stringify(canonicalTool(process)));
  tools.set(process, digest);
  return digest;
}

const requirements = new WeakMap<Requirement, string>();

function requirementDigests(set: RequirementSet): Digests {
  const found = BEHAVIOR_REQUIREMENTS.flatMap((name) => set.get(name) ?? []);
  const docker = set.get("DockerRequirement");
  // The directory in which a containerized tool works appears in its command line.
  const outputFolder = docker?.dockerOutputDirectory;
  return {
    ...Object.fromEntries(found.map((requirement) => [requirement.class, requirementDigest(requirement)])),
    ...(outputFolder === undefined ? {} : { dockerOutputDirectory: shortDigest(outputFolder) }),
  };
}

function requirementDigest(requirement: Requirement): string {
  const known = requirements.get(requirement);
  if (known !== undefined) return known;
  // Files in a requirement count by content (see workDirDigests) and name.
  const text = canonicalText(parseExactJson(JSON.stringify(requirement, withoutLocation)));
  const digest = shortDigest(text);
  requirements.set(requirement, digest);
  return digest;
}

function withoutLocation(_key: string, item: CwlValue): unknown {
  if (!isFileOrDirectory(item)) return item;
  const { location: _, ...rest } = item;
  return { ...rest, basename: fileName(item) };
}

/** Files and Directories that InitialWorkDirRequirement names literally, such as a script next to the document. */
async function workDirDigests(set: RequirementSet, reading: Contents): Promise<Digests> {
  const listing = set.get("InitialWorkDirRequirement")?.listing ?? [];
  if (typeof listing === "string") return {};
  const digests = new Map<string, string>();
  for (const [index, entry] of listing.entries()) {
    if (entry.kind !== "value" || !isFileOrDirectory(entry.value)) continue;
    const name = fileName(entry.value);
    digests.set(digests.has(name) ? `${name} (${index})` : name, await valueDigest(entry.value, reading));
  }
  return Object.fromEntries(digests);
}

/** PATH determines the programs of the machine; platform and processor identify their build. */
function machineDigests(): Digests {
  const { PATH = "" } = process.env;
  return { PATH: shortDigest(PATH), platform: `${process.platform} ${process.arch}` };
}

/** The inputs of a job, with the checksums that were computed for its key. */
export function withChecksums(inputs: CwlObject, checksums: ReadonlyMap<string, string>): CwlObject {
  return mapObjectFiles(inputs, (file) => {
    const checksum = checksums.get(file.location ?? "");
    return file.class === "Directory" || checksum === undefined ? file : { ...file, checksum };
  });
}

/**
 * The part of a key that identifies the origin of the programs. If an engine reports no digest, the image's name has to
 * do.
 */
export function containerPart(container: JobContainer | undefined): string {
  if (container === undefined || container.engine === "none") return "none";
  return container.digest ?? `${container.engine} ${container.image}`;
}
