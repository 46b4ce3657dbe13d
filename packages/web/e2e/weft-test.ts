import { test as base, expect, type Page } from "@playwright/test";
import { newStateFolder, removeStateFolders, startServer, startServerHost } from "./own-server.ts";
import type { Server, ServerHost, ServerOptions, ServerProcess } from "./own-server.ts";

/** Errors that must not happen on any page. */
export interface PageWatch {
  readonly consoleErrors: string[];
  readonly cspViolations: string[];
  readonly foreignRequests: string[];
}

/** A server of this file that other tests of the file do not use. It runs with the others, and counts as our own. */
type OwnServerFixture = (options?: Partial<ServerOptions>) => Promise<Server>;
/** A server in a process of its own, for tests that stop it. */
type ServerProcessFixture = (options?: Partial<ServerOptions>) => Promise<ServerProcess>;

interface WeftFixtures {
  readonly watch: PageWatch;
  readonly ownServer: OwnServerFixture;
  readonly serverProcess: ServerProcessFixture;
  /** Addresses that the page may ask. */
  readonly ownAddresses: Set<string>;
}

interface SharedServerFixture {
  /** Address of the server that the tests of this file share. */
  readonly sharedServer: string;
}

interface WorkerFixtures {
  readonly servers: FileServers;
}

/** The servers of the file that a worker is at. They end when it comes to the next file, whose state is empty again. */
interface FileServers {
  readonly host: ServerHost;
  file: string;
  shared: string | undefined;
}

/**
 * A test that starts all its servers. Its page is watched: an error in the console, a breach of the policy or a request
 * elsewhere fails it.
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
      const server = await servers.host.serve({ state: await newStateFolder(), ...options });
      ownAddresses.add(server.url);
      return server;
    });
  },
  serverProcess: async ({ page, ownAddresses }, use) => {
    const processes: ServerProcess[] = [];
    await use(async (options) => {
      const server = await startServer({ state: await newStateFolder(), ...options });
      processes.push(server);
      ownAddresses.add(server.url);
      return server;
    });
    await page.goto("about:blank"); // an open page asks a server that is gone
    await Promise.all(processes.map((server) => server.stop()));
  },
});

/** A test that shares a server with the others of its file: addresses without a host mean that server. */
export const test = ownServerTest.extend<SharedServerFixture>({
  sharedServer: async ({ servers, ownAddresses }, use, { file }) => {
    await leaveOtherFile(servers, file);
    servers.shared ??= (await servers.host.serve({ state: await newStateFolder() })).url;
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

/** A page asks every few seconds who else edits its draft, and so perhaps just after the draft was published. */
const LATE_QUESTION = /404.*\/api\/drafts\/[^/]+\/editors/;

async function watchPage(page: Page, watch: PageWatch, own: ReadonlySet<string>): Promise<void> {
  page.on("console", (message) => {
    const text = `${message.text()} ${message.location().url}`;
    if (message.type() === "error" && !LATE_QUESTION.test(text)) watch.consoleErrors.push(text);
  });
  page.on("pageerror", (error) => watch.consoleErrors.push(error.message));
  page.on("request", (request) => {
    if (!isOwn(request.url(), own)) watch.foreignRequests.push(request.url());
  });
  await page.exposeFunction("reportCspViolation", (text: string) => watch.cspViolations.push(text));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      // Put there by exposeFunction above.
      const report = (globalThis as unknown as { reportCspViolation: (text: string) => void }).reportCspViolation;
      report(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
    });
  });
}

/** The viewer of PDFs is an extension that browsers bring along. */
function isOwn(url: string, own: ReadonlySet<string>): boolean {
  return (
    own.values().some((server) => url.startsWith(server)) || /^(data|blob|about|chrome|chrome-extension):/.test(url)
  );
}
