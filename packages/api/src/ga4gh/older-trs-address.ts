import type { Next } from "koa";
import type { Context } from "../http/context.ts";

const OLDER_ROOT = "/api/ga4gh/v2/";
const ROOT = "/ga4gh/trs/v2/";
/** A file next to the bare address of a document: the result of resolving a relative reference in it. */
const BESIDE_DOCUMENT =
  /^(\/ga4gh\/trs\/v2\/tools\/[^/]+\/versions\/[^/]+\/PLAIN_CWL)\/(?!(?:descriptor|tests|files)(?:\/|$))/;

/**
 * Answers addresses that clients such as cwltool use: the root and the type name of a draft of TRS 2.0, and references
 * that were resolved against `…/PLAIN_CWL/descriptor`.
 */
export async function rewriteOlderTrsAddress(ctx: Context, next: Next): Promise<void> {
  ctx.path = currentTrsPath(ctx.path);
  await next();
}

export function currentTrsPath(path: string): string {
  const current = path.startsWith(OLDER_ROOT) ? `${ROOT}${path.slice(OLDER_ROOT.length)}` : path;
  if (!current.startsWith(ROOT)) return path;
  return current.replace("/plain-CWL/", "/PLAIN_CWL/").replace(BESIDE_DOCUMENT, "$1/descriptor/");
}
