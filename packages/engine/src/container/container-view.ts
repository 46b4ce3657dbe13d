import { fileURLToPath } from "node:url";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { JobPaths, StagingEntry } from "@weft/cwl/model/job-plan.ts";
import { joinJobPath, splitJobPath, type JobPath } from "@weft/cwl/model/safe-name.ts";
import { isBelow } from "../files/is-below.ts";
import type { Mount } from "../executor/executor.ts";

/** The directories of a job, as the job and as this machine see them. */
export interface ContainerFolders {
  readonly inside: JobPaths;
  readonly outside: JobPaths & {
    /** Mounts at absolute paths outside these three. */
    readonly elsewhere: string;
  };
  /** Files below it may be changed in place (InplaceUpdateRequirement). */
  readonly updatable: string | undefined;
}

export interface ContainerView {
  /** Entries to create on this machine before the start; targets are paths of this machine. */
  readonly staging: readonly StagingEntry[];
  /** The mounts, parents before their children. */
  readonly mounts: readonly Mount[];
  /** The path on this machine for a path that the job saw; undefined if it belonged to the image. */
  readonly toOutside: (path: string) => string | undefined;
}

/**
 * Splits a staging plan, whose paths are those inside the container, into files created on this machine and mounts.
 * Each input has its own mount, so its neighbors stay hidden. An input mount covers an empty file or folder
 * created at its path, because mounting cannot create one in a read-only folder. In the output directory, a link leads
 * to the mount: an empty file there could be mistaken for an output. Pure.
 */
export function viewInContainer(staging: readonly StagingEntry[], folders: ContainerFolders): ContainerView {
  const view = new ViewBuilder(staging, folders);
  for (const entry of staging) view.add(entry);
  return view.build();
}

type SourceEntry = Extract<StagingEntry, { readonly source: string }>;

class ViewBuilder {
  readonly #staging: StagingEntry[] = [];
  readonly #mounts: Mount[] = [];
  readonly #places = new Map<string, string>();
  readonly #plan: readonly StagingEntry[];
  readonly #folders: ContainerFolders;
  #count = 0;

  constructor(plan: readonly StagingEntry[], folders: ContainerFolders) {
    this.#plan = plan;
    this.#folders = folders;
  }

  add(entry: StagingEntry): void {
    const { inside, outside } = this.#folders;
    const inOutdir = rebase(entry.target, inside.outdir, outside.outdir);
    const inStagedir = rebase(entry.target, inside.stagedir, outside.stagedir);
    if (inOutdir !== undefined) this.#addToOutdir(entry, inOutdir);
    else if (inStagedir !== undefined) this.#addToStagedir(entry, inStagedir);
    else this.#addElsewhere(entry);
  }

  build(): ContainerView {
    const { inside, outside } = this.#folders;
    const hasInputs = this.#staging.some(({ target }) => isBelow(target, outside.stagedir));
    const mounts = [
      { source: outside.outdir, target: inside.outdir, writable: true },
      { source: outside.tmpdir, target: inside.tmpdir, writable: true },
      ...(hasInputs ? [{ source: outside.stagedir, target: inside.stagedir, writable: false }] : []),
      ...this.#mounts,
    ];
    return { staging: this.#staging, mounts, toOutside: (path) => this.#toOutside(path) };
  }

  #addToOutdir(entry: StagingEntry, target: JobPath): void {
    if (!isMounted(entry, this.#folders.updatable)) {
      this.#staging.push({ ...entry, target });
      return;
    }
    const place = `work/${this.#count++}`;
    const { name } = splitJobPath(entry.target);
    const { inside, outside } = this.#folders;
    const mountPoint = joinJobPath(`${inside.stagedir}/${place}`, name);
    this.#places.set(entry.target, fileURLToPath(entry.source));
    this.#mount(entry, mountPoint, joinJobPath(`${outside.stagedir}/${place}`, name));
    this.#staging.push({ kind: "link", source: pathToUri(mountPoint), target, of: entry.of });
  }

  #addToStagedir(entry: StagingEntry, target: JobPath): void {
    if (entry.kind === "link") this.#mount(entry, entry.target, target);
    else this.#staging.push({ ...entry, target });
  }

  /** Intermediate folders belong to the image or come with the mount. */
  #addElsewhere(entry: StagingEntry): void {
    if (entry.kind === "link") {
      this.#mount(entry, entry.target, undefined);
      return;
    }
    if (entry.kind === "folder" && this.#plan.some(({ target }) => target.startsWith(`${entry.target}/`))) return;
    const folder = `${this.#folders.outside.elsewhere}/${this.#count++}`;
    const source = joinJobPath(folder, splitJobPath(entry.target).name);
    this.#staging.push({ ...entry, target: source });
    this.#mounts.push({ source, target: entry.target, writable: true });
    this.#places.set(entry.target, source);
  }

  /** `over`: the path at which an empty file or folder must exist as a mount point. */
  #mount(entry: SourceEntry, target: string, over: JobPath | undefined): void {
    const source = fileURLToPath(entry.source);
    if (over !== undefined) this.#staging.push(emptyAt(over, entry.of));
    this.#mounts.push({ source, target, writable: entry.kind === "copy" });
    this.#places.set(target, source);
  }

  #toOutside(path: string): string | undefined {
    const { inside, outside } = this.#folders;
    for (let place = path; place !== ""; place = place.slice(0, place.lastIndexOf("/"))) {
      const base = this.#places.get(place);
      if (base !== undefined) return base + path.slice(place.length);
    }
    return (
      rebase(path, inside.outdir, outside.outdir) ??
      rebase(path, inside.stagedir, outside.stagedir) ??
      rebase(path, inside.tmpdir, outside.tmpdir)
    );
  }
}

/** In the output directory: read-only inputs, and inputs to change in place. */
function isMounted(entry: StagingEntry, updatable: string | undefined): entry is SourceEntry {
  if (entry.kind === "link") return true;
  return entry.kind === "copy" && updatable !== undefined && isBelow(fileURLToPath(entry.source), updatable);
}

function emptyAt(target: JobPath, of: "File" | "Directory"): StagingEntry {
  return of === "File" ? { kind: "text", text: "", target } : { kind: "folder", target };
}

/** Moves a path from one folder to another. */
function rebase<Path extends string>(path: Path, from: string, to: string): Path | undefined {
  // Both folders belong to the engine, so a checked path stays checked.
  if (path === from) return to as Path;
  return path.startsWith(`${from}/`) ? ((to + path.slice(from.length)) as Path) : undefined;
}
