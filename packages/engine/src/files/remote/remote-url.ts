import { decoded } from "@weft/shared/text/decode-escapes.ts";

/** True for a location whose bytes must be fetched before a job can read them: `http:`, `https:` and `data:`. */
export function isRemote(location: string): boolean {
  return /^(?:https?|data):/i.test(location);
}

export function isHttp(location: string): boolean {
  return /^https?:/i.test(location);
}

/** Replaces a credential. */
const HIDDEN = "***";
/**
 * Names of parameters whose values are credentials. Other parameters select the content and are kept, so that it can be
 * fetched again.
 */
const SECRET_PARAMETER =
  /signature|^sig$|token|secret|pass|pwd|^pw$|^pin$|^otp$|credential|(?:api|access|private|shared|account|sas|x)[-_]?key|^key$|auth|bearer|session|^sid$|^sas$|^jwt$|hmac|ticket|assertion/i;
const SHOWN_DATA_CHARS = 40;

/**
 * The URL as logs, events and provenance may contain it: replaces user names, passwords, and query parameters that look
 * like credentials (as in signed links) by `***`. Returns other URLs unchanged.
 */
export function redactUrl(location: string): string {
  if (!isHttp(location)) return location;
  // The last `@` before the path ends the user information, as clients parse it.
  const withoutUser = location.replace(/^(https?:[\\/]*)[^/?#\\]*@/i, `$1${HIDDEN}@`);
  const [, path = "", rest = ""] = /^([^?#]*)([^]*)$/.exec(withoutUser) ?? [];
  return path.replace(PATH_PARAMETER, hideSecret) + rest.replace(PARAMETER, hideSecret);
}

const PATH_PARAMETER = /(;)([^=;/]+)=([^;/]*)/g;
/**
 * A parameter of the query, or of the fragment, in which logins may leave tokens. A `;` separates only before a name.
 */
const PARAMETER = /([?&;#])([^=&;#?]+)=((?:[^&;#]|;(?![^=&;#]*=))*)/g;

function hideSecret(whole: string, mark: string, name: string): string {
  return SECRET_PARAMETER.test(decoded(name)) ? `${mark}${name}=${HIDDEN}` : whole;
}

/** True if `redactUrl` has removed a part, so the URL cannot be fetched. */
export function isRedacted(location: string): boolean {
  return isHttp(location) && location.includes(HIDDEN) && redactUrl(location) === location;
}

/** A URL as messages show it: redacted, and shortened if the URL contains the data itself. */
export function shownUrl(location: string): string {
  if (isHttp(location)) return redactUrl(location);
  return location.length > SHOWN_DATA_CHARS ? `${location.slice(0, SHOWN_DATA_CHARS)}…` : location;
}
