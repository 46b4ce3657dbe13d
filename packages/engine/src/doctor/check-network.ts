import { connect, createServer } from "node:net";
import { proxyFor } from "../files/remote/http-get.ts";
import { failed, ok, warning, type Finding, type Machine } from "./machine.ts";
import { errorText, errorWords } from "../error-text.ts";

const PATIENCE_MS = 5000;

type PortOptions = Pick<Machine, "host" | "port" | "servedAt" | "baseUrl">;

/** Checks that the server can listen and that its public address leads to it. */
export async function checkPort(options: PortOptions): Promise<Finding> {
  const { host, port, servedAt, baseUrl } = options;
  const ownPort = servedAt === undefined ? 0 : Number(new URL(servedAt).port);
  const asked = port || ownPort;
  const error = asked === 0 ? undefined : await tryListening(host, asked);
  const code = error?.code;
  if (code === "EADDRINUSE" && asked === ownPort)
    return baseUrl === undefined ? ok(`the server listens at ${servedAt}`) : checkBaseUrl(baseUrl);
  const place = `${host}:${port}`;
  if (code === "EADDRINUSE") {
    const by = (await isWeft(host, port)) ? "another Weft server" : "another program";
    return failed(`${by} listens at ${place}`, "weft serve --port 0");
  }
  if (code === "EACCES") return failed(`this account may not listen at ${place}`, "weft serve --port 8080");
  if (error !== undefined)
    return failed(`no program can listen at ${place} (${errorWords(error)})`, "weft serve --host 127.0.0.1");
  return ok(port === 0 ? `${host}, any free port` : `${place} is free`);
}

function tryListening(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

async function isWeft(host: string, port: number): Promise<boolean> {
  const answer = await ask(`http://${host.includes(":") ? `[${host}]` : host}:${port}/healthz`);
  return answer.status === "answered" && answer.text === '{"status":"ok"}';
}

async function checkBaseUrl(baseUrl: string): Promise<Finding> {
  const url = `${baseUrl.replace(/\/$/, "")}/healthz`;
  const answer = await ask(url);
  if (answer.status === "answered" && answer.text === '{"status":"ok"}') return ok(`${baseUrl} leads to this server`);
  const why = answer.status === "answered" ? "something else answers there" : answer.why;
  return warning(`${baseUrl} does not lead to a Weft server: ${why}`, `curl --include ${url}`);
}

type Answer =
  | { readonly status: "answered"; readonly text: string }
  | { readonly status: "none"; readonly why: string };

async function ask(url: string): Promise<Answer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: "manual" });
    return { status: "answered", text: (await response.text()).slice(0, 1000) };
  } catch (error) {
    const { cause, message } = error as Error;
    return { status: "none", why: cause instanceof Error ? cause.message : message };
  }
}

/** Downloads use the proxy that the environment names, and so do curl and other clients of Weft. */
export async function checkProxy(env: Machine["env"]): Promise<Finding> {
  const proxy = proxyFor("https://example.org/", env) ?? proxyFor("http://example.org/", env);
  if (proxy === undefined) return ok("none: downloads connect directly");
  const url = URL.parse(proxy.includes("://") ? proxy : `http://${proxy}`);
  const shown = url === null ? proxy : url.host;
  if (url === null) return warning(`the proxy address ${proxy} is not a URL`, "export https_proxy=http://PROXY:PORT");
  const why = await tryConnecting(url);
  if (why !== undefined) return warning(`the proxy ${shown} does not answer: ${why}`, "unset http_proxy https_proxy");
  if (proxyFor("http://127.0.0.1/", env) !== undefined)
    return warning(
      `clients on this machine ask the proxy ${shown} for Weft's own address`,
      "export no_proxy=localhost,127.0.0.1",
    );
  return ok(`downloads use ${shown}`);
}

function tryConnecting({ hostname, port, protocol }: URL): Promise<string | undefined> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, "");
    const socket = connect({ host, port: Number(port) || (protocol === "https:" ? 443 : 80) });
    const end = (why: string | undefined) => {
      socket.destroy();
      resolve(why);
    };
    socket.setTimeout(PATIENCE_MS, () => end(`no connection within ${PATIENCE_MS / 1000} s`));
    socket.once("connect", () => end(undefined));
    socket.once("error", (error) => end(errorText(error)));
  });
}
