import type { ProblemCode } from "@weft/shared/records/refusal.ts";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";

/** What every route may answer because of what stands in front of all of them. */
const COMMON: readonly ProblemCode[] = [
  "forbidden",
  "bad-request-target",
  "malformed-request",
  "misdirected-request",
  "invalid-parameters",
  "too-many-requests",
  "headers-too-large",
  "internal-error",
];
/** What the checks of a JSON body may find. */
const OF_BODIES: readonly ProblemCode[] = [
  "malformed-json",
  "invalid-body",
  "unsupported-media-type",
  "body-too-large",
  "request-timeout",
];

/** Every refusal that a route can answer with: its own, and those of the checks that its request passes first. */
export function possibleProblems(method: string, declaration: RouteDeclaration): readonly ProblemCode[] {
  const ofBody = declaration.body === undefined ? [] : OF_BODIES;
  const ofMethod: readonly ProblemCode[] = method === "GET" ? [] : ["cross-origin"];
  const ofLogin: readonly ProblemCode[] = declaration.access === "open" ? [] : ["unauthorized", "login-unavailable"];
  return [...new Set([...declaration.problems, ...COMMON, ...ofLogin, ...ofBody, ...ofMethod])];
}
