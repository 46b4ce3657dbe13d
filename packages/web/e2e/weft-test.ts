import { test as base, expect, type Page } from "@playwright/test";

/** What must not happen on any page. */
export interface PageWatch {
  readonly consoleErrors: string[];
  readonly cspViolations: string[];
  readonly foreignRequests: string[];
}

interface WeftFixtures {
  readonly watch: PageWatch;
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
