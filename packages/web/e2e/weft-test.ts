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

/** Address of the server that the configuration started. */
export function serverUrl(): string {
  const url = process.env["WEFT_E2E_URL"];
  if (url === undefined) throw new Error("WEFT_E2E_URL is not set: run the tests by playwright.config.ts");
  return url;
}

/** A test whose page is watched: an error in the console, a breach of the policy or a request elsewhere fails it. */
export const test = base.extend<WeftFixtures>({
  baseURL: async ({ browserName }, use) => {
    expect(browserName).toBe("chromium");
    await use(serverUrl());
  },
  watch: [
    async ({ page }, use) => {
      const watch: PageWatch = { consoleErrors: [], cspViolations: [], foreignRequests: [] };
      await watchPage(page, watch);
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

async function watchPage(page: Page, watch: PageWatch): Promise<void> {
  page.on("console", (message) => {
    if (message.type() === "error") watch.consoleErrors.push(message.text());
  });
  page.on("pageerror", (error) => watch.consoleErrors.push(error.message));
  page.on("request", (request) => {
    if (!isOwn(request.url())) watch.foreignRequests.push(request.url());
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

function isOwn(url: string): boolean {
  return url.startsWith(serverUrl()) || /^(data|blob|about):/.test(url);
}
