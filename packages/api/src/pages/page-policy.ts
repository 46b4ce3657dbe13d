import type { Site } from "../address/host-policy.ts";

/**
 * Content-Security-Policy of the application's page: everything from our own origin, nothing inline. The socket's
 * address is written out because not every browser counts `ws:` among 'self'.
 */
export function pagePolicy(site: Site): string {
  const socketOrigin = new URL(site.base).origin.replace(/^http/, "ws");
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${socketOrigin}`,
    "frame-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
