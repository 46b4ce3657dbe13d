/**
 * The proxy that a URL is to be fetched through, as the environment says: `http_proxy`, `https_proxy` (either case), and
 * `no_proxy`, a list of hosts, of domains (`.example.org`, `example.org` for all below it too) or `*`, each with an
 * optional port.
 */
export function proxyFor(url: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === "https:";
  const variable = isTls ? "https_proxy" : "http_proxy";
  const proxy = env[variable] ?? env[variable.toUpperCase()];
  if (proxy === undefined || proxy === "") return undefined;
  const target = { host: hostname.toLowerCase(), port: port === "" ? (isTls ? "443" : "80") : port };
  const exceptions = (env["no_proxy"] ?? env["NO_PROXY"] ?? "").split(/[\s,]+/);
  return exceptions.some((exception) => isMeant(exception.toLowerCase(), target)) ? undefined : proxy;
}

function isMeant(exception: string, target: { readonly host: string; readonly port: string }): boolean {
  if (exception === "" || exception === "*") return exception === "*";
  const [, written = exception, port] = /^(.*?)(?::(\d+))?$/.exec(exception) ?? [];
  if (port !== undefined && port !== target.port) return false;
  const domain = written.replace(/^\*?\./, "");
  return target.host === domain || target.host.endsWith(`.${domain}`);
}
