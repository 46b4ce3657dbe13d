import { nameOf, placeAt } from "../../files/staging/place-files.ts";
import { replaceFiles, stagingFor } from "../../files/staging/plan-staging.ts";
import { splitName } from "../../values/file-name.ts";
import type { CwlObject, DirectoryValue, FileOrDirectory, FileValue } from "../../model/cwl-value.ts";
import { splitJobPath, toJobPath, type JobPath } from "../../model/safe-name.ts";
import type { RequirementSet } from "../../model/effective-requirements.ts";
import type { StagingEntry } from "../../model/job-plan.ts";
import { parentFolders, resolveJobPath } from "../../model/job-path.ts";
import { evaluateWorkDir, type WorkDirContext, type WorkDirItem } from "./work-dir-items.ts";

export interface WorkDirOptions extends WorkDirContext {
  readonly requirements: RequirementSet;
  /** The inputs, with their paths. */
  readonly inputs: CwlObject;
  readonly outdir: string;
  readonly allowAbsolute: boolean;
}

export interface WorkDirPlan {
  readonly staging: readonly StagingEntry[];
  /** The inputs; those staged into the working folder have their new paths. */
  readonly inputs: CwlObject;
}

/** The contents of the output folder when the job starts. CWL v1.2 CommandLineTool.html#InitialWorkDirRequirement. */
export async function planWorkDir(options: WorkDirOptions): Promise<WorkDirPlan> {
  const { requirements, inputs, outdir } = options;
  const requirement = requirements.get("InitialWorkDirRequirement");
  if (requirement === undefined) return { staging: [], inputs };
  const moves = new Moves();
  const staging: StagingEntry[] = [];
  for (const item of await evaluateWorkDir(requirement, options)) {
    const name = item.kind === "value" ? (item.name ?? nameOf(item.value)) : item.name;
    const target = resolveJobPath(name, { ...options, place: item.place });
    staging.push(...parentFolders(target, outdir), ...stagingOf(item, target, moves));
  }
  return { staging, inputs: moves.apply(inputs) };
}

function stagingOf(item: WorkDirItem, target: JobPath, moves: Moves): readonly StagingEntry[] {
  if (item.kind === "text") return [{ kind: "text", text: item.text, target }];
  const placed = placeAt(item.value, target);
  moves.record(item.value, placed);
  return stagingFor(placed, { mode: item.writable ? "copy" : "link", folder: splitJobPath(target).folder });
}

/** New paths of inputs, by earlier path, or by location for values that an expression returned. The first path is kept. */
class Moves {
  readonly #byPath = new Map<string, JobPath>();
  readonly #byLocation = new Map<string, JobPath>();

  record(before: FileOrDirectory, after: FileOrDirectory): void {
    const path = after.path === undefined ? undefined : toJobPath(after.path);
    if (path !== undefined && before.path !== undefined && !this.#byPath.has(before.path))
      this.#byPath.set(before.path, path);
    const { location } = before;
    if (path !== undefined && location !== undefined && before.path === undefined) this.#byLocation.set(location, path);
    const placed = membersOf(after);
    for (const [index, member] of membersOf(before).entries()) {
      const moved = placed[index];
      if (moved !== undefined) this.record(member, moved);
    }
  }

  apply(inputs: CwlObject): CwlObject {
    const moved = Object.entries(inputs).map(
      ([name, value]) => [name, replaceFiles(value, (file) => this.#moved(file))] as const,
    );
    return Object.fromEntries(moved);
  }

  #moved(value: FileOrDirectory): FileOrDirectory {
    const target = this.#byPath.get(value.path ?? "") ?? this.#byLocation.get(value.location ?? "");
    if (value.class === "File") return this.#movedFile(value, target);
    const directory: DirectoryValue =
      value.listing === undefined ? value : { ...value, listing: value.listing.map((member) => this.#moved(member)) };
    return target === undefined ? directory : { ...directory, path: target, basename: splitJobPath(target).name };
  }

  #movedFile(value: FileValue, target: JobPath | undefined): FileValue {
    const { secondaryFiles } = value;
    const file =
      secondaryFiles === undefined
        ? value
        : { ...value, secondaryFiles: secondaryFiles.map((member) => this.#moved(member)) };
    if (target === undefined) return file;
    const { folder, name } = splitJobPath(target);
    return { ...file, path: target, dirname: folder, basename: name, ...splitName(name) };
  }
}

function membersOf(value: FileOrDirectory): readonly FileOrDirectory[] {
  return (value.class === "File" ? value.secondaryFiles : value.listing) ?? [];
}
