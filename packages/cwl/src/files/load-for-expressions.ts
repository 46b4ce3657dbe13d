import type { FileValue } from "../model/cwl-value.ts";
import type { Evaluator } from "../expression/evaluate.ts";
import type { RequirementSet } from "../model/effective-requirements.ts";
import { isSinceVersion } from "../model/cwl-version.ts";
import type { LoadListing } from "../model/binding.ts";
import type { Process } from "../model/process.ts";
import type { FileAccess } from "./file-access.ts";
import type { InputProblem } from "./input-problem.ts";
import { loadContents } from "./load-contents.ts";
import { loadListing } from "./load-listing.ts";
import { normalizeFile } from "./normalize-file.ts";
import type { FileRule, FileVisitor } from "./value/map-files.ts";

interface LoadOptions {
  readonly process: Pick<Process, "cwlVersion">;
  readonly files: FileAccess;
  readonly requirements: RequirementSet;
  readonly evaluator: Pick<Evaluator, "limits">;
  readonly namespaces?: ReadonlyMap<string, string>;
  readonly report: (problem: InputProblem) => void;
}

/** Describes each File and Directory of an input, and loads what its parameter asks for. */
export function loadForExpressions(options: LoadOptions): FileVisitor {
  return async (value, rule, pointer) => {
    const { limits } = options.evaluator;
    const normal = await normalizeFile(value, pointer, { ...options, limits });
    if (normal.class === "Directory")
      return loadListing(normal, listingExtent(rule, options.requirements), options.files);
    const file = expandFormat(normal, options.namespaces);
    return rule.loadContents ? withContents(file, pointer, options) : file;
  };
}

/** CWL v1.2 CommandLineTool.html#LoadContents: the parameter, then LoadListingRequirement, then none. */
export function listingExtent(rule: Pick<FileRule, "loadListing">, requirements: RequirementSet): LoadListing {
  return rule.loadListing ?? requirements.get("LoadListingRequirement")?.loadListing ?? "no_listing";
}

async function withContents(
  file: FileValue,
  pointer: string,
  { process, files, report }: LoadOptions,
): Promise<FileValue> {
  const readable = file.location === undefined || (await files.stat(file.location))?.kind === "file";
  if (!readable) return file;
  const loaded = await loadContents(file, { files, truncate: !isSinceVersion(process.cwlVersion, "v1.2") });
  if (loaded.problem !== undefined) report({ severity: "error", pointer, code: "too-large", message: loaded.problem });
  return loaded.file;
}

function expandFormat(file: FileValue, namespaces: ReadonlyMap<string, string> | undefined): FileValue {
  const [prefix = "", ...rest] = file.format?.split(":") ?? [];
  const base = namespaces?.get(prefix);
  return base === undefined ? file : { ...file, format: base + rest.join(":") };
}
