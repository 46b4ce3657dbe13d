import { realpathSync, statSync } from "node:fs";
import { sep } from "node:path";
import { undefinedIfMissing } from "./undefined-if-missing.ts";
import { OutOfReach } from "./out-of-reach.ts";

/** A folder with one rule. If regions are nested, the innermost applies. */
export interface Region {
  /** Absolute path; need not exist yet. */
  readonly folder: string;
  /** Whether the path with these names below the folder is readable. Absent: always. */
  readonly admits?: (names: readonly string[]) => boolean;
  /** Paths that are not readable must look as if they did not exist. */
  readonly isHidden?: boolean;
  /**
   * The number of leading names that are folders only the server writes to, so that no job can replace them. Default:
   * 0.
   */
  readonly fixed?: (names: readonly string[]) => number;
}

/** The location of a path: a folder that is safe to start a walk from, and the names to walk from there. */
export interface Place {
  readonly root: string;
  readonly names: readonly string[];
}

export interface NoPlace {
  readonly isHidden: boolean;
}

/** A region with both names of its folder: the one that was configured, and the real one. */
export class RealRegion {
  readonly #region: Region;
  readonly #given: readonly string[];
  #real: readonly string[] | undefined;

  constructor(region: Region) {
    this.#region = region;
    this.#given = partsOf(region.folder);
  }

  /** The number of parts that lead to the folder; undefined if they lead to another one. */
  depthOf(parts: readonly string[]): number | undefined {
    if (startsWith(parts, this.#given)) return this.#given.length;
    const real = this.#realParts();
    return real !== undefined && startsWith(parts, real) ? real.length : undefined;
  }

  isBelow(parts: readonly string[]): boolean {
    return [this.#given, this.#realParts() ?? this.#given].some(
      (own) => own.length > parts.length && startsWith(own, parts),
    );
  }

  place(names: readonly string[]): Place | NoPlace {
    const { admits, fixed, isHidden = false } = this.#region;
    if (admits !== undefined && !admits(names)) return { isHidden };
    const depth = fixed?.(names) ?? 0;
    const root = [...(this.#realParts() ?? this.#given), ...names.slice(0, depth)];
    return { root: `/${root.join("/")}`, names: names.slice(depth) };
  }

  /**
   * The folder is trusted: an administrator may have made it a link. It may not exist until after the server starts.
   */
  #realParts(): readonly string[] | undefined {
    if (this.#real !== undefined) return this.#real;
    try {
      // Every path is compared with every region, and `realpathSync` takes thirty times as long to find that a folder is
      // missing.
      if (statSync(this.#region.folder, { throwIfNoEntry: false }) === undefined) return undefined;
      this.#real = partsOf(realpathSync(this.#region.folder));
    } catch (error) {
      undefinedIfMissing(error as NodeJS.ErrnoException); // the error is from a system call
    }
    return this.#real;
  }
}

function startsWith(parts: readonly string[], beginning: readonly string[]): boolean {
  if (beginning.length > parts.length) return false;
  for (let index = 0; index < beginning.length; index += 1) if (beginning[index] !== parts[index]) return false;
  return true;
}

export function partsOf(path: string): readonly string[] {
  if (path.includes("\0"))
    throw new OutOfReach(`\`${path.replaceAll("\0", "\\0")}\` contains a NUL character, so it cannot be a path`);
  return path.split(sep).filter((part) => part !== "" && part !== ".");
}
