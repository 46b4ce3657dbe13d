import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Context } from "../http/context.ts";
import type { Login } from "./login.ts";

/** Whether whoever sent a request that is being answered for long is still let in. */
export function isLetIn(login: Login, { state: { identity } }: Context): boolean {
  return !(identity instanceof Refusal) && login.isCurrent(identity);
}
