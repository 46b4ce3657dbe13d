import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context, Upload, UploadLimits } from "../http/context.ts";

/** Maximum number of concurrent large bodies of one caller: files, forms, crates, large requests. */
const MAX_OF_ONE_CALLER = 8;

/**
 * The limit for the text of all forms in memory, as a multiple of the limit of one form, so that one caller cannot
 * block all others.
 */
const FORMS_AT_ONCE = 2;

/** Limits concurrent uploads, so that many large bodies use no more memory and files than a few. */
export class UploadLimiter {
  readonly #arriving = new Map<string, number>();
  readonly #limits: UploadLimits;
  #heldBytes = 0;

  constructor(limits: UploadLimits) {
    this.#limits = limits;
  }

  /** Registers a body of this caller until the response. Refuses with `too-many-requests` if too many are in progress. */
  begin(principal: string): Upload {
    const count = this.#arriving.get(principal) ?? 0;
    if (count >= MAX_OF_ONE_CALLER)
      throw busy(`${principal} is already sending ${count} large bodies; wait until one of them has finished`);
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

/** The body of this request, which its route has registered. */
export function uploadOf(ctx: Context): Upload {
  const { upload } = ctx.state;
  if (upload === undefined) throw new Error("A large body was read without being counted");
  return upload;
}

function busy(detail: string): Refusal {
  return new Refusal("too-many-requests", detail, { headers: { "Retry-After": "1" } });
}
