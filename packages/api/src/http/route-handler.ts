import type { Readable } from "node:stream";
import type { Caller } from "@weft/engine/port/caller.ts";
import type { RouteCall } from "@weft/engine/port/route-methods.ts";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import type { RouteAnswerBody, RouteHeaders, RouteId, Routes } from "@weft/shared/routes/routes.ts";
import type { Context } from "./context.ts";

/** A handler's request: everything in it is checked against the route's declaration. */
export interface RouteRequest<Id extends RouteId> extends RouteCall<Id> {
  readonly headers: RouteHeaders<Id>;
  /** The value that equal requests share, if it is not the body. */
  readonly fingerprint?: unknown;
  /**
   * The context, for parts of HTTP that the declaration does not cover: content negotiation, conditional requests,
   * uploads.
   */
  readonly ctx: Context;
}

type Headers = Readonly<Record<string, string>>;

/** A JSON answer, or one without a body. `entityTag` (with its quotes) makes it cacheable with revalidation. */
export type JsonAnswer<Id extends RouteId> = {
  [Status in keyof Routes[Id]["answers"]]: {
    readonly status: Status;
    readonly body: RouteAnswerBody<Id, Status>;
    readonly headers?: Headers;
    readonly entityTag?: string;
  };
}[keyof Routes[Id]["answers"]];

/** The usual answer: a record as JSON. */
export const ok = <Body>(body: Body) => ({ status: 200, body }) as const;

/**
 * A response other than JSON from Weft: a file, a log, a packed document, an event stream. Sent unchanged and
 * uncompressed.
 */
export interface ContentAnswer {
  readonly status: number;
  readonly mediaType: string;
  readonly content: string | Buffer | Readable | null;
  readonly headers: Headers;
}

/** A JSON answer whose text was built elsewhere, as UTF-8. */
export interface JsonTextAnswer {
  readonly status: number;
  readonly json: Buffer;
  readonly entityTag: string;
}

export type RouteAnswerOf<Id extends RouteId> = JsonAnswer<Id> | JsonTextAnswer | ContentAnswer;
export type RouteHandler<Id extends RouteId> = (
  request: RouteRequest<Id>,
) => RouteAnswerOf<Id> | Promise<RouteAnswerOf<Id>>;

/** Handlers of the routes where HTTP itself is special; methods of the engine answer the others. */
export type Handlers = { readonly [Id in RouteId]?: RouteHandler<Id> };

/** A request without the types of the route table. */
export interface UntypedRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: unknown;
  readonly revision: number | undefined;
  readonly fingerprint?: unknown;
  readonly caller: Caller;
  readonly ctx: Context;
}

export interface UntypedJsonAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Headers;
  readonly entityTag?: string;
}

export type UntypedAnswer = UntypedJsonAnswer | JsonTextAnswer | ContentAnswer;
export type UntypedHandler = (request: UntypedRequest) => UntypedAnswer | Promise<UntypedAnswer>;

export interface BoundRoute {
  readonly id: RouteId;
  readonly declaration: RouteDeclaration;
  readonly handle: UntypedHandler;
}
