import { ServerConfigurationError } from "./server-configuration-error.ts";

/** The parts of the service's configured address. */
export interface BaseAddress {
  /** `https://lab.example` */
  readonly origin: string;
  /** The Host header of its requests: `lab.example`. */
  readonly host: string;
  /** Path prefix of all routes, without a trailing slash: `/weft`; empty at the root. */
  readonly prefix: string;
}

/** Parses `--base-url`; throws ServerConfigurationError when it is not a plain http address. */
export function parseBaseUrl(text: string): BaseAddress {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new ServerConfigurationError(`The base URL ${JSON.stringify(text)} is not an http or https address`);
  }
  if (url.username !== "" || url.search !== "" || url.hash !== "") {
    throw new ServerConfigurationError(
      `The base URL ${JSON.stringify(text)} may have neither user, query nor fragment`,
    );
  }
  return { origin: url.origin, host: url.host, prefix: url.pathname.replace(/\/+$/, "") };
}
