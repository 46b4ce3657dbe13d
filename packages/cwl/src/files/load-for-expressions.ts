import { attempt } from "../attempt.ts";
import type { CwlFailure } from "../cwl-failure.ts";
import type { FileValue } from "../model/cwl-value.ts";
import type { Evaluator } from "../expression/evaluate.ts";
import type { RequirementSet } from "../model/effective-requirements.ts";
import type { LoadListing } from "../model/binding.ts";
import type { Process } from "../model/process.ts";
import type { FileAccess } from "./file-access.ts";
import type { InputProblem } from "../values/input-problem.ts";
import { ContentsLoader } from "./contents-loader.ts";
import { ListingLoader } from "./listing-loader.ts";
import { normalizeFile } from "./normalize-file.ts";
import type { FileRule, FileVisitor } from "../check/map-files.ts";

interface LoadOptions {
  readonly process: Pick<Process, "cwlVersion">;
  readonly files: FileAccess;
  readonly requirements: RequirementSet;
  readonly evaluator: Pick<Evaluator, "limits">;
  readonly namespaces?: ReadonlyMap<string, string>;
  readonly report: (problem: InputProblem) => void;
  /** Pointers of Files and Directories that have an error. */
  readonly faulty: Set<string>;
}

/**
 * Describes each File and Directory of an input, and loads the contents or listing that its parameter requests. Adds the
 * pointer of a value with an error to `faulty` and does not process the value further.
 */
export function loadForExpressions(options: LoadOptions): FileVisitor {
  const { files, process, requirements, report, faulty } = options;
  const { limits } = options.evaluator;
  const listings = new ListingLoader({ files, limits });
  const contents = new ContentsLoader({ files, limits, cwlVersion: process.cwlVersion });
  return async (value, rule, pointer) => {
    const note = (problem: InputProblem) => {
      if (problem.severity === "error") faulty.add(pointer);
      report(problem);
    };
    const normal = await normalizeFile(value, pointer, { files, limits, report: note });
    if (faulty.has(pointer)) return normal;
    const loaded = await attempt(async () =>
      normal.class === "Directory"
        ? listings.load(normal, listingExtent(rule, requirements))
        : loadFile(normal, rule, { namespaces: options.namespaces, contents, report: note, pointer }),
    );
    if ("value" in loaded) return loaded.value;
    note(problemOf(loaded.failure, pointer));
    return normal;
  };
}

function loadFile(file: FileValue, rule: FileRule, options: FileOptions): Promise<FileValue> | FileValue {
  const expanded = expandFormat(file, options.namespaces);
  return rule.loadContents ? withContents(expanded, options) : expanded;
}

interface FileOptions extends Pick<LoadOptions, "report"> {
  readonly namespaces: LoadOptions["namespaces"];
  readonly contents: ContentsLoader;
  readonly pointer: string;
}

function problemOf({ code, message, hint }: CwlFailure, pointer: string): InputProblem {
  const isLimit = code === "LIMIT_EXCEEDED";
  return {
    severity: "error",
    pointer,
    code: isLimit ? "limit-exceeded" : "invalid-file",
    message,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** CWL v1.2 CommandLineTool.html#LoadContents: the parameter, then LoadListingRequirement, then none. */
export function listingExtent(rule: Pick<FileRule, "loadListing">, requirements: RequirementSet): LoadListing {
  return rule.loadListing ?? requirements.get("LoadListingRequirement")?.loadListing ?? "no_listing";
}

async function withContents(file: FileValue, { contents, report, pointer }: FileOptions): Promise<FileValue> {
  const loaded = await contents.load(file);
  const { problem: message, code = "too-large" } = loaded;
  if (message !== undefined) report({ severity: "error", pointer, code, message });
  return loaded.file;
}

function expandFormat(file: FileValue, namespaces: ReadonlyMap<string, string> | undefined): FileValue {
  const [prefix = "", ...rest] = file.format?.split(":") ?? [];
  const base = namespaces?.get(prefix);
  return base === undefined ? file : { ...file, format: base + rest.join(":") };
}
