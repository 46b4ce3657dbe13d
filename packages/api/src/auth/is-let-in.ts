import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context } from "../http/context.ts";
import type { Login } from "./login.ts";

/** True if the caller of a long-running request is still authorized. */
export function isLetIn(login: Login, { state: { identity } }: Context): boolean {
  return !(identity instanceof Refusal) && login.isCurrent(identity);
}
