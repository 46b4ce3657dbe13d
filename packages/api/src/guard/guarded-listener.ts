import type { IncomingMessage, ServerResponse } from "node:http";
import type { HostPolicy, Site } from "../address/host-policy.ts";
import { lingerOverUnreadBody } from "../http/linger-over-unread-body.ts";
import { writeRefusal } from "../http/write-refusal.ts";
import { admitRequest } from "./admit-request.ts";

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

export interface GuardedListenerOptions {
  readonly policy: HostPolicy;
  /** Where the site of an admitted request is put down for those behind. */
  readonly sites: WeakMap<IncomingMessage, Site>;
  /** Base address for the links of refusals. */
  readonly base: string;
  readonly next: RequestListener;
}

/** Lets admitted requests through to `next`, with the prefix of the base address taken off, and answers all others. */
export function guardedListener({ policy, sites, base, next }: GuardedListenerOptions): RequestListener {
  return (request, response) => {
    lingerOverUnreadBody(request, response);
    const admission = admitRequest(request, policy);
    if (admission.kind === "refused") {
      writeRefusal(admission.refusal, request, response, base);
      return;
    }
    sites.set(request, admission.site);
    request.url = admission.target;
    next(request, response);
  };
}
