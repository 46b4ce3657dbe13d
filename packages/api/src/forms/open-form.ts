import { PassThrough, type Readable } from "node:stream";
import busboy, { type Busboy, type Limits } from "busboy";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context } from "../http/context.ts";

/** Maximum number of header lines of a part. Two are usual: Content-Disposition and Content-Type. */
const PART_HEADERS = 16;
const PART_NAME_BYTES = 256;

/** Makes a parser for a `multipart/form-data` body. Refuses with `malformed-request` if the boundary is missing or unusable. */
export function openForm(ctx: Context, limits: Limits): Busboy {
  try {
    return busboy({
      headers: ctx.req.headers,
      defParamCharset: "utf8",
      preservePath: true,
      limits: { headerPairs: PART_HEADERS, fieldNameSize: PART_NAME_BYTES, ...limits },
    });
  } catch (error) {
    // The parser throws only for an invalid Content-Type.
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal("malformed-request", `The Content-Type of the form is not usable: ${why}`);
  }
}

/**
 * Passes the content of a source to `store`, which destroys what it refuses. A second stream around the source keeps
 * the connection open, and keeps a refusal from looking like a fault of the source.
 */
export function relayContent<Stored>(source: Readable, store: (content: Readable) => Promise<Stored>): Promise<Stored> {
  const content = new PassThrough();
  // An error without a listener would end the server, and `store` may not listen yet when the source breaks off.
  content.on("error", () => {});
  source.once("error", (error) => content.destroy(error));
  source.pipe(content);
  return store(content).finally(() => source.unpipe(content).resume());
}

/** The refusal of a form that cannot be read. */
export function brokenForm(error: unknown): Refusal {
  const why = error instanceof Error ? error.message : String(error);
  return new Refusal("malformed-request", `The form is broken: ${why}`);
}
