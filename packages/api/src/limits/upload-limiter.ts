import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context } from "../http/context.ts";

/** Bodies of one caller that may arrive at once beyond the size of a small JSON body: files, forms, crates, large requests. */
const MOST_OF_ONE_CALLER = 8;

/** Text that all forms together may hold in memory. Twice what one form may have, so that one caller does not lock out all. */
const FORMS_AT_ONCE = 2;

export interface UploadLimits {
  /** Of all text fields of one form. */
  readonly formBytes: number;
  /** Of one form with all its files. */
  readonly requestBytes: number;
}

/** Bounds what arrives at once, so that many large bodies hold no more memory and files than a few do. */
export class UploadLimiter {
  readonly #arriving = new Map<string, number>();
  readonly #limits: UploadLimits;
  #heldBytes = 0;

  constructor(limits: UploadLimits) {
    this.#limits = limits;
  }

  /** Begins a body of this caller. Refuses `too-many-requests` where too many arrive already; the answer ends it. */
  begin(principal: string): Upload {
    const count = this.#arriving.get(principal) ?? 0;
    if (count >= MOST_OF_ONE_CALLER)
      throw busy(`${principal} is already sending ${count} large bodies; wait until one of them has ended`);
    this.#arriving.set(principal, count + 1);
    const { formBytes } = this.#limits;
    let heldBytes = 0;
    return {
      limits: this.#limits,
      holdText: (bytes) => {
        if (this.#heldBytes + bytes > formBytes * FORMS_AT_ONCE)
          throw busy("The server is busy reading other large forms; try again in a second");
        this.#heldBytes += bytes;
        heldBytes += bytes;
      },
      end: () => {
        this.#heldBytes -= heldBytes;
        heldBytes = 0;
        this.#leave(principal);
      },
    };
  }

  #leave(principal: string): void {
    const count = (this.#arriving.get(principal) ?? 0) - 1;
    if (count > 0) this.#arriving.set(principal, count);
    else this.#arriving.delete(principal);
  }
}

/** One body that arrives. */
export interface Upload {
  readonly limits: UploadLimits;
  /** Counts text that stays in memory until the end. Refuses `too-many-requests` where forms hold too much already. */
  readonly holdText: (bytes: number) => void;
  readonly end: () => void;
}

/** The body of this request, which was begun when its route was found. */
export function uploadOf(ctx: Context): Upload {
  const { upload } = ctx.state;
  if (upload === undefined) throw new Error("A large body was read without being counted");
  return upload;
}

function busy(detail: string): Refusal {
  return new Refusal("too-many-requests", detail, { headers: { "Retry-After": "1" } });
}
