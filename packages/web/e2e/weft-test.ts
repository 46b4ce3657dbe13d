import { test as base, expect, type Page } from "@playwright/test";
import { freePort, newStateFolder, startServer, type OwnServer, type OwnServerOptions } from "./own-server.ts";

/** What must not happen on any page. */
export interface PageWatch {
  readonly consoleErrors: string[];
  readonly cspViolations: string[];
  readonly foreignRequests: string[];
}

interface WeftFixtures {
  readonly watch: PageWatch;
  /** Starts a server for this test alone, which ends with it; its address counts as our own. */
  readonly ownServer: (options?: Partial<OwnServerOptions>) => Promise<OwnServer>;
}

interface WorkerFixtures {
  /** Address of the server that all tests of one worker share. */
  readonly sharedServer: string;
}

/** A test whose page is watched: an error in the console, a breach of the policy or a request elsewhere fails it. */
export const test = base.extend<WeftFixtures, WorkerFixtures>({
  sharedServer: [
    async ({ browserName }, use) => {
      expect(browserName).toBe("chromium");
      const server = await startServer({ port: 0, state: await newStateFolder(), prefix: "" });
      await use(server.url);
      await server.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  baseURL: async ({ sharedServer }, use) => use(sharedServer),
  watch: [
    async ({ page, sharedServer }, use) => {
      const watch: PageWatch = { consoleErrors: [], cspViolations: [], foreignRequests: [] };
      await watchPage(page, watch, sharedServer);
      await use(watch);
      expect(watch).toEqual({ consoleErrors: [], cspViolations: [], foreignRequests: [] });
    },
    { auto: true },
  ],
  ownServer: async ({ page, watch }, use) => {
    const servers: OwnServer[] = [];
    await use(async (options) => {
      const all = { port: await freePort(), state: await newStateFolder(), prefix: "", ...options };
      const server = await startServer(all);
      servers.push(server);
      return server;
    });
    await page.goto("about:blank"); // a page that is open asks a server that is gone
    for (const server of servers) {
      // One after the other: a machine that ends many at once is slow at each.
      // eslint-disable-next-line no-await-in-loop
      await server.stop();
    }
    const isForeign = (url: string): boolean => servers.every((server) => !url.startsWith(server.url));
    watch.foreignRequests.splice(0, Infinity, ...watch.foreignRequests.filter(isForeign));
  },
});

/** A page asks every few seconds who else edits its draft, and so perhaps just after the draft was published. */
const LATE_QUESTION = /404.*\/api\/drafts\/[^/]+\/editors/;

async function watchPage(page: Page, watch: PageWatch, server: string): Promise<void> {
  page.on("console", (message) => {
    const text = `${message.text()} ${message.location().url}`;
    if (message.type() === "error" && !LATE_QUESTION.test(text)) watch.consoleErrors.push(text);
  });
  page.on("pageerror", (error) => watch.consoleErrors.push(error.message));
  page.on("request", (request) => {
    if (!isOwn(request.url(), server)) watch.foreignRequests.push(request.url());
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
function isOwn(url: string, server: string): boolean {
  return url.startsWith(server) || /^(data|blob|about|chrome|chrome-extension):/.test(url);
}
