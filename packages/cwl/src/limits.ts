import { CwlFailure } from "./cwl-failure.ts";

/** Limits on the size of documents and values. The caller sets the numbers. */
export interface CwlLimits {
  readonly jobsPerScatter: number;
  readonly jobsPerRun: number;
  /** The number of elements and fields of a value, at all depths. */
  readonly valueItems: number;
  /** The number of nested lists, records, secondary files and listings. */
  readonly valueDepth: number;
  /** The UTF-8 length of a file name. */
  readonly nameBytes: number;
  /** The number of files and folders in one listing, at all depths. */
  readonly listingEntries: number;
  readonly outputObjectBytes: number;
  /** The total size of all contents that `loadContents` reads for one object. */
  readonly loadedContentBytes: number;
}

/** Limits that no setting changes. */
const FIXED: ReadonlySet<keyof CwlLimits> = new Set(["valueDepth", "nameBytes"]);

/** A failure that names the limit, and the flag that raises it if there is one. `what` is the subject of "… exceeds the limit of N". */
export function limitExceeded<Name extends keyof CwlLimits>(
  limit: Name,
  limits: Pick<CwlLimits, Name>,
  { what, place }: { readonly what: string; readonly place?: string },
): CwlFailure {
  const flag = limit.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return new CwlFailure(
    "LIMIT_EXCEEDED",
    `${what} exceeds the limit of ${limits[limit].toLocaleString("en")} (${flag})`,
    {
      ...(FIXED.has(limit) ? {} : { hint: `raise the limit with --limit ${flag}=N if this is intended` }),
      ...(place === undefined ? {} : { place }),
    },
  );
}
