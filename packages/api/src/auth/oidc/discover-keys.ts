import { z } from "zod";
import { requireHttpUrl } from "../../address/require-http-url.ts";

const LARGEST_BYTES = 1024 * 1024;

const configurationSchema = z.object({ issuer: z.string(), jwks_uri: z.string() });

/**
 * Where a provider publishes its keys (OpenID Connect Discovery 1.0, 4). Rejects when it does not answer, says that it
 * is another issuer, or names keys that would come over an open network.
 */
export async function discoverKeys(issuer: string, timeoutMs: number): Promise<URL> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const response = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new TypeError(`${address} answered ${response.status}`);
  const text = await response.text();
  if (text.length > LARGEST_BYTES) throw new TypeError(`${address} answered more than ${LARGEST_BYTES} bytes`);
  const { data } = configurationSchema.safeParse(JSON.parse(text));
  if (data === undefined) throw new TypeError(`${address} names no issuer and jwks_uri`);
  if (data.issuer !== issuer)
    throw new TypeError(`${address} is the configuration of the issuer ${JSON.stringify(data.issuer)}`);
  return requireHttpUrl("jwks_uri", data.jwks_uri);
}
