import { join } from "node:path";
import type { Caller } from "../port/caller.ts";
import { mayReadDocument } from "./document-rights.ts";
import { isUploadOf } from "./upload-owner.ts";
import { visibleOwner } from "./visible-runs.ts";
import { secretFilesOf } from "../secrets/wipe-job.ts";
import { ClosedFiles } from "../files/beneath/closed-files.ts";
import { Reach } from "../files/beneath/reach.ts";
import type { Region } from "../files/beneath/region.ts";
import { isBelow } from "../files/is-below.ts";

/** Absolute paths. */
export interface ReachPlaces {
  /** Data folders and the catalog: every caller who may start runs may read them. */
  readonly data: readonly string[];
  /** The state folder: unreadable, except for the folders below. */
  readonly root: string;
  readonly runs: string;
  readonly uploads: string;
  readonly wesDocuments: string;
  readonly downloads: string;
  readonly imports: string;
}

/**
 * The part of a run's folder that its owner and permitted callers may see. `out` and `passed` hold the outputs of a
 * job.
 */
const SHOWN = new Set(["outputs", "inputs", "document"]);
const SHOWN_OF_JOB = new Set(["out", "passed"]);
const STREAMS = new Set(["stdout", "stderr"]);
/** The files that the jobs of a run read and pass to each other. */
const READ_IN_RUN = new Set(["out", "in", "tmp", "passed", "elsewhere"]);

/** The columns of a run's row about the rights of the run. */
export interface RunRights {
  readonly owner: string;
  readonly documentUri: string;
}

/**
 * Defines who may read which files on this machine. All rules are allow lists: none of them names a job's `launch`, its
 * `record`, or a file that contains a secret.
 */
export class Reaches {
  readonly #places: ReachPlaces;
  readonly #runOf: (runId: string) => RunRights | undefined;
  readonly #closed: ClosedFiles;
  /** Data folders, uploads and the visible files of all runs. */
  readonly all: Reach;

  constructor(places: ReachPlaces, runOf: (runId: string) => RunRights | undefined) {
    const { root, runs, uploads, wesDocuments, downloads, imports } = places;
    this.#places = places;
    this.#runOf = runOf;
    this.#closed = new ClosedFiles(root, [runs, uploads, wesDocuments, downloads, imports, join(root, "images")]);
    this.all = this.#reach({ admitsRun: () => true, admitsUpload: () => true, admitsDocument: () => true });
  }

  /** The files that a caller may name in a request. */
  ofCaller(caller: Caller): Reach {
    const owner = visibleOwner(caller);
    if (owner === undefined) return this.all;
    const { wesDocuments } = this.#places;
    return this.#reach({
      admitsRun: (runId) => this.#runOf(runId)?.owner === owner,
      admitsUpload: (id) => id !== undefined && isUploadOf(id, owner),
      admitsDocument: (name) => mayReadDocument(wesDocuments, name, owner),
    });
  }

  /**
   * Everything that a run may read: its own folder and document, other runs and uploads that its inputs name or that
   * belong to its owner, and downloaded files.
   */
  ofRun(runId: string, named: ReadonlySet<string>): Reach {
    const { downloads, wesDocuments } = this.#places;
    // The log may not have the run yet.
    const runMeets = (test: (run: RunRights) => boolean) => {
      const run = this.#runOf(runId);
      return run !== undefined && test(run);
    };
    return this.#reach({
      ownRun: runId,
      admitsRun: (other) => named.has(other) || runMeets(({ owner }) => this.#runOf(other)?.owner === owner),
      admitsUpload: (id) => id !== undefined && (named.has(id) || runMeets(({ owner }) => isUploadOf(id, owner))),
      admitsDocument: (name) =>
        runMeets(
          ({ documentUri, owner }) =>
            documentUri.includes(`/wes-documents/${name}/`) || mayReadDocument(wesDocuments, name, owner),
        ),
      more: [{ folder: downloads, fixed: (names) => names.length - 1 }],
    });
  }

  /** The visible files of one run; refuses links that lead out of it. */
  ofShownRun(runId: string): Reach {
    const { runs } = this.#places;
    const admits = (names: readonly string[]) => names[0] === runId && isShown(names) && !this.#showsSecret(names);
    return new Reach({ closed: this.#closed, regions: [{ folder: runs, fixed: fixedInRuns, admits }] });
  }

  #reach({ ownRun, admitsRun, admitsUpload, admitsDocument, more = [] }: Rules): Reach {
    const { data, root, runs, uploads, wesDocuments, imports } = this.#places;
    const admits = (names: readonly string[]) => {
      const [runId = ""] = names;
      if (runId === ownRun) return isReadInRun(names);
      return isShown(names) && admitsRun(runId) && !this.#showsSecret(names);
    };
    return new Reach({
      closed: this.#closed,
      regions: [
        { folder: root, admits: () => false },
        { folder: imports, admits: () => false },
        ...data.map((folder) => ({ folder })),
        { folder: uploads, fixed: () => 1, admits: ([id]) => admitsUpload(id), isHidden: true },
        {
          folder: wesDocuments,
          fixed: (names) => Math.max(0, names.length - 1),
          admits: ([name = "", part]) => part === "files" && admitsDocument(name),
          isHidden: true,
        },
        { folder: runs, fixed: fixedInRuns, admits, isHidden: true },
        ...more,
      ],
    });
  }

  /** Whether the path is a file that contains a secret, or a folder that contains such a file. */
  #showsSecret([runId = "", jobs, attempt = "", ...rest]: readonly string[]): boolean {
    if (jobs !== "jobs") return false;
    const folder = join(this.#places.runs, runId, jobs, attempt);
    const path = join(folder, ...rest);
    return secretFilesOf(folder).some((secret) => isBelow(secret, path) || isBelow(path, secret));
  }
}

interface Rules {
  readonly ownRun?: string;
  readonly admitsRun: (runId: string) => boolean;
  /** Whether an upload may be read; undefined asks for the list of all uploads. */
  readonly admitsUpload: (id: string | undefined) => boolean;
  /** Whether a WES document may be read, by the name of its folder. */
  readonly admitsDocument: (name: string) => boolean;
  readonly more?: readonly Region[];
}

function isShown([, part = "", , inner = "", ...deeper]: readonly string[]): boolean {
  if (SHOWN.has(part)) return true;
  return part === "jobs" && (SHOWN_OF_JOB.has(inner) || (STREAMS.has(inner) && deeper.length === 0));
}

function isReadInRun([, part = "", , inner = ""]: readonly string[]): boolean {
  return SHOWN.has(part) || (part === "jobs" && READ_IN_RUN.has(inner));
}

/** The server creates the folder of an attempt and the first folders in it; a job writes below these. */
export function fixedInRuns(names: readonly string[]): number {
  return Math.min(names[1] === "jobs" ? 4 : 2, Math.max(0, names.length - 1));
}
