import type { Readable } from "node:stream";
import type {
  RouteBody,
  RouteHeaders,
  RouteId,
  RouteParams,
  RouteQuery,
  RouteResult,
} from "@weft/shared/routes/routes.ts";
import type { Caller } from "./caller.ts";

/** The revision in `If-Match`: required, optional, or never given, as the route declares it. */
export type RouteRevision<Id extends RouteId> =
  RouteHeaders<Id> extends { readonly "if-match": string } ? number : number | undefined;

/** A request to a method of the engine: everything in it is checked against the declaration of the route. */
export interface RouteCall<Id extends RouteId> {
  readonly caller: Caller;
  readonly params: RouteParams<Id>;
  readonly query: RouteQuery<Id>;
  readonly headers: RouteHeaders<Id>;
  readonly body: RouteBody<Id>;
  readonly revision: RouteRevision<Id>;
}

/** A text that is not JSON. */
export interface TextDocument {
  readonly mediaType: string;
  readonly text: string;
}

/** A file that is built for one request. */
export interface BuiltFile {
  /** The name under which browsers save it; absent: they may show it. */
  readonly name?: string;
  readonly mediaType: string;
  readonly content: string | Buffer;
}

/** A record of the contract, its JSON, a text in another format, a file, or a zip. */
export type RouteOutcome<Id extends RouteId> =
  | RouteResult<Id>
  | HashedText
  | TextDocument
  | BuiltFile
  | ServableArchive
  | (undefined extends RouteResult<Id> ? void : never);

export type RouteMethod<Id extends RouteId> = (call: RouteCall<Id>) => RouteOutcome<Id> | Promise<RouteOutcome<Id>>;

/** Methods by route. The API calls them with checked requests and sends their outcomes. */
export type RouteMethods = { readonly [Id in RouteId]?: RouteMethod<Id> };

/** A document as UTF-8, with its SHA-256 in base64url. */
export interface HashedText<Bytes = Buffer> {
  readonly bytes: Bytes;
  readonly sha256: string;
}

/** A zip that is built while it is sent. */
export interface ServableArchive {
  readonly name: string;
  /** Ends with an error if a file can no longer be read. */
  readonly open: () => Readable;
  /** Releases prepared resources if the archive is not opened. */
  readonly discard?: () => void;
}
