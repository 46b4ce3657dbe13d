import type { ParameterizedContext } from "koa";
import type { Caller } from "@weft/engine/port/caller.ts";
import type { ProblemCode, Refusal } from "@weft/shared/records/refusal.ts";
import type { Site } from "../address/host-policy.ts";
import type { JsonLimits } from "./http-limits.ts";
import type { Identity } from "./identity.ts";

export interface UploadLimits {
  /** The maximum total size of the text fields of one form. */
  readonly formBytes: number;
  /** Total size of one form with its files. */
  readonly requestBytes: number;
  /** Limits for the JSON in a form. */
  readonly json: JsonLimits;
}

/** One incoming upload. */
export interface Upload {
  readonly limits: UploadLimits;
  /** Counts text that stays in memory until the end. Refuses with `too-many-requests` if forms already hold too much. */
  readonly holdText: (bytes: number) => void;
  readonly end: () => void;
}

/** Facts about a request that the first middleware collects, for all later ones. */
export interface RequestState {
  readonly requestId: string;
  readonly site: Site;
  /** Address of the client. */
  readonly client: string;
  /** The caller, or why the caller cannot be identified; then only public routes respond. */
  readonly identity: Identity | Refusal;
  readonly caller: Caller;
  /** The body, if it may be large. */
  upload?: Upload;
  /** Template and operationId of the route that matched, once one has. */
  route?: string;
  operationId?: string;
  /** Present if the route makes no lasting change. */
  isUnaudited?: true;
  /** Name of the request in the audit log, if it is not the operationId. */
  auditedAs?: string;
  /** The identity that signed in with this request. */
  signedIn?: Identity;
  /** The code of the problem in the answer. */
  refusedAs?: ProblemCode;
}

export type Context = ParameterizedContext<RequestState>;
