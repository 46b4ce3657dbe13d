import { CwlFailure } from "./cwl-failure.ts";

/** Limits on the size of documents and values. The caller sets the numbers. */
export interface CwlLimits {
  readonly jobsPerScatter: number;
  readonly jobsPerRun: number;
  /** Elements, fields and everything inside them. */
  readonly valueItems: number;
  /** Levels of lists, records, secondary files and listings. */
  readonly valueDepth: number;
  /** UTF-8 length. */
  readonly nameBytes: number;
  /** At all depths. */
  readonly listingEntries: number;
  readonly outputObjectBytes: number;
  /** Total for all Files. */
  readonly loadedContentBytes: number;
}

/** No setting changes these. */
const FIXED: ReadonlySet<keyof CwlLimits> = new Set(["valueDepth", "nameBytes"]);

/** A failure that names the limit, and the flag that raises it if one does. `what` completes "… exceeds the limit of N". */
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
