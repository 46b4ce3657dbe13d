import type { Caller } from "@weft/engine/port/engine.ts";
import { createLinks } from "@weft/shared/links.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Identity } from "../http/identity.ts";

/** Recorded for requests that nobody has signed in for; all but what is open is closed to them. */
export const NOBODY = "anonymous";

/** Somebody as the engine knows them: admins may change runs of others, everybody else may see them or not even that. */
export function callerOf(identity: Identity | Refusal, base: string, privateRuns: boolean): Caller {
  const links = createLinks(base);
  const others = privateRuns ? "hidden" : "visible";
  if (identity instanceof Refusal) return { principal: NOBODY, links, othersRuns: others };
  const { principal, role } = identity;
  return { principal, links, othersRuns: role === "admin" ? "changeable" : others };
}
