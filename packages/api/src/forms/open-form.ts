import busboy from "busboy";
import type { Busboy, Limits } from "busboy";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context } from "../http/context.ts";

/** Header lines of one part. Two are usual: Content-Disposition and Content-Type. */
const PART_HEADERS = 16;
const PART_NAME_BYTES = 256;

/** A reader of the `multipart/form-data` body of a request. Refuses `malformed-request` what has no usable boundary. */
export function openForm(ctx: Context, limits: Limits): Busboy {
  try {
    return busboy({
      headers: ctx.req.headers,
      defParamCharset: "utf8",
      preservePath: true,
      limits: { headerPairs: PART_HEADERS, fieldNameSize: PART_NAME_BYTES, ...limits },
    });
  } catch (error) {
    // It throws for a Content-Type that it cannot read, and for nothing else.
    const why = error instanceof Error ? error.message : String(error);
    throw new Refusal("malformed-request", `The Content-Type of the form is not usable: ${why}`);
  }
}
