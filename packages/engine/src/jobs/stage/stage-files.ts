import { basename, dirname, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { StagingEntry } from "@weft/cwl/model/job-plan.ts";
import { openTrustedFolder, type OpenFolder } from "../../files/beneath/open-folder.ts";
import { runNow } from "../../files/beneath/steps.ts";
import { codeOf } from "../../files/beneath/system-calls.ts";
import { linkOrCopyFile, linkOrCopyFolder } from "../../files/link-or-copy.ts";
import { isBelow } from "../../files/is-below.ts";
import type { RunDisk } from "../job-services.ts";

export interface StageOptions {
  /** Absolute path of the attempt folder; all entries are created below it. */
  readonly folder: string;
  /**
   * Folder with files that the job may change in place (InplaceUpdateRequirement); files elsewhere belong to others and
   * are copied.
   */
  readonly updatable: string | undefined;
  readonly services: RunDisk;
}

/**
 * Carries out a staging plan in order: folders and links where reading is enough, copies where the job may write.
 * Creates nothing through a link, so no entry can end up in a folder that another entry links to. Only copies take
 * time; folders, links and texts are created synchronously on the local disk.
 */
export async function stageFiles(entries: readonly StagingEntry[], options: StageOptions): Promise<void> {
  using folders = new StagedFolders(options.folder);
  for (const entry of entries) await stage(entry, folders, options);
}

async function stage(entry: StagingEntry, folders: StagedFolders, options: StageOptions): Promise<void> {
  const { target } = entry;
  if (entry.kind === "folder") {
    folders.open(target);
    return;
  }
  const folder = folders.open(dirname(target));
  const name = basename(target);
  switch (entry.kind) {
    case "link":
      runNow(folder.symlink(fileURLToPath(entry.source), name));
      return;
    case "copy":
      await copyOrLink(entry, { folder, name }, options);
      return;
    case "text": {
      using file = runNow(folder.create(name));
      file.write(entry.text);
    }
  }
}

type CopyEntry = Extract<StagingEntry, { kind: "copy" }>;

async function copyOrLink(
  { source: uri, of }: CopyEntry,
  target: { readonly folder: OpenFolder; readonly name: string },
  { updatable, services }: StageOptions,
): Promise<void> {
  const source = fileURLToPath(uri);
  const { folder, name } = target;
  if (updatable !== undefined && isBelow(source, updatable)) {
    runNow(folder.symlink(source, name));
    return;
  }
  const options = {
    reach: services.reach,
    limits: services.limits,
    ownFolder: undefined,
    makesWritable: true,
    sync: false,
  };
  if (of === "File") {
    await linkOrCopyFile(source, target, options);
    return;
  }
  using inner = runNow(folder.folder(name, { makes: true }));
  await linkOrCopyFolder(source, inner, options);
}

/** The folders created so far, kept open. The job has not started yet, so they cannot be replaced. */
class StagedFolders implements Disposable {
  readonly #top: string;
  readonly #open = new Map<string, OpenFolder>();

  constructor(top: string) {
    this.#top = top;
    this.#open.set(top, runNow(openTrustedFolder(top)));
  }

  /** Creates missing folders in the path. Throws a CwlFailure if the path passes through anything but folders. */
  open(path: string): OpenFolder {
    let folder = this.#open.get(path);
    if (folder !== undefined) return folder;
    if (!isBelow(path, this.#top)) throw new Error(`${path} is outside the job's folder`);
    folder = this.#makeIn(this.open(dirname(path)), path);
    this.#open.set(path, folder);
    return folder;
  }

  #makeIn(parent: OpenFolder, path: string): OpenFolder {
    try {
      return runNow(parent.folder(basename(path), { makes: true }));
    } catch (error) {
      if (codeOf(error) !== "ENOTDIR" && codeOf(error) !== "ELOOP") throw error;
      const name = relative(this.#top, path).split(sep).slice(1).join(sep);
      throw new CwlFailure(
        "STAGE_IN",
        `\`${name}\` is staged as a file or a link, so Weft cannot stage anything in it`,
        {
          hint: "make it writable so that the job gets its own copy, or choose another name",
          cause: error,
        },
      );
    }
  }

  [Symbol.dispose](): void {
    for (const folder of this.#open.values()) folder.close();
  }
}
