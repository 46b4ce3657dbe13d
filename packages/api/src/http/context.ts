import type { ParameterizedContext } from "koa";
import type { Caller } from "@weft/engine/engine.ts";
import type { Site } from "../address/host-policy.ts";

/** What the first middleware knows about a request and all later ones rely on. */
export interface RequestState {
  readonly requestId: string;
  readonly site: Site;
  readonly caller: Caller;
}

export type Context = ParameterizedContext<RequestState>;
