import type { Context } from "./context.ts";

/** Aborts when the client disconnects or the server closes. */
export function leavingOrClosing(ctx: Context, closing: AbortSignal): AbortSignal {
  const leaving = new AbortController();
  ctx.res.once("close", () => leaving.abort());
  return AbortSignal.any([leaving.signal, closing]);
}
