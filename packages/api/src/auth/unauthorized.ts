import { Refusal } from "@weft/shared/records/refusal.ts";

/** 401 with its challenge. `isInvalid`: a token was presented and is not valid (RFC 6750). */
export function unauthorized(detail: string, isInvalid = false): Refusal {
  const challenge = `Bearer realm="weft"${isInvalid ? ', error="invalid_token"' : ""}`;
  return new Refusal("unauthorized", detail, { headers: { "WWW-Authenticate": challenge } });
}
