/** True for a location whose bytes must be brought before a job can read them: `http:`, `https:` and `data:`. */
export function isRemote(location: string): boolean {
  return /^(?:https?|data):/i.test(location);
}

export function isHttp(location: string): boolean {
  return /^https?:/i.test(location);
}

/** Stands where a credential stood. */
const HIDDEN = "***";
const SECRET_PARAMETER = /signature|^sig$|token|secret|passw|credential|(?:api|access)[-_]?key|^key$|^auth/i;
const SHOWN_DATA_CHARS = 40;

/**
 * The address as logs, events and provenance may hold it: user names and passwords, and query parameters that look like
 * credentials (as in signed links), are replaced by `***`. Addresses without any come back unchanged.
 */
export function redactUrl(location: string): string {
  if (!isHttp(location)) return location;
  const [address = "", ...fragment] = location.split("#");
  const withoutUser = address.replace(/^(https?:\/\/)[^/?@]*@/i, `$1${HIDDEN}@`);
  const redacted = withoutUser.replace(/([?&])([^=&]+)=([^&]*)/g, (whole, mark: string, name: string) =>
    SECRET_PARAMETER.test(name) ? `${mark}${name}=${HIDDEN}` : whole,
  );
  return [redacted, ...fragment].join("#");
}

/** True where `redactUrl` has taken something away: it cannot be fetched by this address. */
export function isRedacted(location: string): boolean {
  return isHttp(location) && location.includes(HIDDEN) && redactUrl(location) === location;
}

/** For sentences: redacted, and short where the address is the data itself. */
export function shownUrl(location: string): string {
  if (isHttp(location)) return redactUrl(location);
  return location.length > SHOWN_DATA_CHARS ? `${location.slice(0, SHOWN_DATA_CHARS)}…` : location;
}
