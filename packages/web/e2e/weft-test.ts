import { test as base, expect, type Page } from "@playwright/test";
import {
  newFolder,
  removeStateFolders,
  startServer,
  startServerHost,
  type Server,
  type ServerHost,
  type ServerOptions,
  type ServerProcess,
} from "./own-server.ts";

/** Errors and warnings that must not happen on any page. */
export interface PageWatch {
  readonly consoleErrors: string[];
  readonly cspViolations: string[];
  readonly foreignRequests: string[];
}

/** A server for one test, in the process of the shared servers. The page may send requests to it. */
type OwnServerFixture = (options?: Partial<ServerOptions>) => Promise<Server>;
/** A server in a separate process, for tests that stop it. */
type ServerProcessFixture = (options?: Partial<ServerOptions>) => Promise<ServerProcess>;

interface WeftFixtures {
  readonly watch: PageWatch;
  readonly ownServer: OwnServerFixture;
  readonly serverProcess: ServerProcessFixture;
  /** Addresses to which the page may send requests. */
  readonly ownAddresses: Set<string>;
}

interface SharedServerFixture {
  /** Address of the server that the tests of this file share. */
  readonly sharedServer: string;
}

interface WorkerFixtures {
  readonly servers: FileServers;
}

/** The servers of the test file that a worker runs. They stop before the next file, which begins with no state. */
interface FileServers {
  readonly host: ServerHost;
  file: string;
  shared: string | undefined;
}

/**
 * A test that starts all its servers. Its page is watched: an error or a warning in the console, a violation of the
 * content security policy or a request to another server fails the test.
 */
export const ownServerTest = base.extend<WeftFixtures, WorkerFixtures>({
  servers: [
    async ({ browserName }, use) => {
      expect(browserName).toBe("chromium");
      const host = startServerHost();
      await use({ host, file: "", shared: undefined });
      await host.end();
      await removeStateFolders();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  ownAddresses: async ({ browserName }, use) => {
    expect(browserName).toBe("chromium");
    await use(new Set());
  },
  watch: [
    async ({ page, ownAddresses }, use) => {
      const watch: PageWatch = { consoleErrors: [], cspViolations: [], foreignRequests: [] };
      await watchPage(page, watch, ownAddresses);
      await use(watch);
      expect(watch).toEqual({ consoleErrors: [], cspViolations: [], foreignRequests: [] });
    },
    { auto: true },
  ],
  ownServer: async ({ servers, ownAddresses }, use, { file }) => {
    await leaveOtherFile(servers, file);
    await use(async (options) => {
      const server = await servers.host.serve({ state: await newFolder(), ...options });
      ownAddresses.add(server.url);
      return server;
    });
  },
  serverProcess: async ({ page, ownAddresses }, use) => {
    const processes: ServerProcess[] = [];
    await use(async (options) => {
      const server = await startServer({ state: await newFolder(), ...options });
      processes.push(server);
      ownAddresses.add(server.url);
      return server;
    });
    await page.goto("about:blank"); // an open page would send requests to a stopped server
    await Promise.all(processes.map((server) => server.stop()));
  },
});

/** A test that shares a server with the others of its file: addresses without a host mean that server. */
export const test = ownServerTest.extend<SharedServerFixture>({
  sharedServer: async ({ servers, ownAddresses }, use, { file }) => {
    await leaveOtherFile(servers, file);
    servers.shared ??= (await servers.host.serve({ state: await newFolder() })).url;
    ownAddresses.add(servers.shared);
    await use(servers.shared);
  },
  baseURL: async ({ sharedServer }, use) => use(sharedServer),
});

async function leaveOtherFile(servers: FileServers, file: string): Promise<void> {
  if (servers.file === file) return;
  await servers.host.stopAll();
  Object.assign(servers, { file, shared: undefined });
}

/** The browser itself reports refused requests in the console. Any other error still fails the test. */
export function forgetErrors({ consoleErrors }: PageWatch, expected: RegExp): void {
  expect(consoleErrors.filter((text) => !expected.test(text))).toEqual([]);
  consoleErrors.length = 0;
}

/** A page requests the other editors of its draft every few seconds, perhaps just after the draft was published. */
const LATE_QUESTION = /404.*\/api\/drafts\/[^/]+\/editors/;

async function watchPage(page: Page, watch: PageWatch, own: ReadonlySet<string>): Promise<void> {
  page.on("console", (message) => {
    const text = `${message.text()} ${message.location().url}`;
    if (/error|warning/.test(message.type()) && !LATE_QUESTION.test(text)) watch.consoleErrors.push(text);
  });
  page.on("pageerror", (error) => watch.consoleErrors.push(error.message));
  page.on("request", (request) => {
    if (!isOwn(request.url(), own)) watch.foreignRequests.push(request.url());
  });
  await page.exposeFunction("reportCspViolation", (text: string) => watch.cspViolations.push(text));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      // Defined by exposeFunction above.
      const report = (globalThis as unknown as { reportCspViolation: (text: string) => void }).reportCspViolation;
      report(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
    });
  });
}

/** The PDF viewer is an extension that is built into browsers. */
function isOwn(url: string, own: ReadonlySet<string>): boolean {
  return (
    own.values().some((server) => url.startsWith(server)) || /^(data|blob|about|chrome|chrome-extension):/.test(url)
  );
}
