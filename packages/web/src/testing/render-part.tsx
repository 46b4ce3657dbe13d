import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import type { Problem } from "@weft/shared/records/problem.ts";
import type { Session } from "@weft/shared/records/session-record.ts";
import type { RouteId, RouteResult } from "@weft/shared/routes/routes.ts";
import type { ReactNode } from "react";
import { MemoryRouter, useLocation } from "react-router-dom";
import { onTestFinished } from "vitest";
import { render } from "vitest-browser-react";
import { locators, type Locator } from "vitest/browser";
import { createQueryClient } from "../api/route-query.ts";
import { ROUTER_PROPS } from "../ui/use-search-param.ts";

declare module "vitest/browser" {
  interface LocatorSelectors {
    /** For parts of a drawing or a grid that have no name. */
    getByCss(selector: string): Locator;
  }
}
locators.extend({ getByCss: (selector: string) => `css=${selector}` });

/** An administrator without a login. */
export const SESSION: Session = {
  ...{ auth: "none", principal: "local", role: "admin", workbench: true, expires_at: null },
};

/** The requests to a route. */
export interface Asked {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Answers of the server, typed by the route table. Any other request fails the test. */
export type Answers = { readonly [Id in RouteId]?: (asked: Asked) => Answer<RouteResult<Id>> };
type Answer<Result> = Result | Response | Promise<Response>;

interface RenderOptions {
  readonly answers?: Answers;
  /** Address of the page, from the root of the app. */
  readonly at?: string;
}

/** Renders a part of the app as a page shows it, without a server. */
export async function renderPart(part: ReactNode, { answers = {}, at = "/" }: RenderOptions = {}) {
  answerRequests(answers);
  let address = at;
  const screen = await render(
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={createQueryClient()}>
        <MemoryRouter {...ROUTER_PROPS} initialEntries={[at]}>
          {part}
          <Address onChange={(next) => (address = next)} />
        </MemoryRouter>
      </QueryClientProvider>
    </CSPProvider>,
  );
  return { ...screen, address: () => address };
}

function Address({ onChange }: { readonly onChange: (address: string) => void }) {
  const { pathname, search, hash } = useLocation();
  onChange(pathname + search + hash);
  return null;
}

/** Takes the place of the server until the test ends. */
function answerRequests(answers: Answers): void {
  const real = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const url = new URL(String(input), location.href);
    const method = init?.method ?? "GET";
    for (const [route, answer] of Object.entries(answers)) {
      const params = paramsOf(route, method, url.pathname);
      if (params === undefined) continue;
      const body: unknown = typeof init?.body === "string" ? JSON.parse(init.body) : init?.body;
      const given = await answer({ params, query: url.searchParams, headers: new Headers(init?.headers), body });
      return given instanceof Response ? given : Response.json(given);
    }
    throw new Error(`this test has no answer for ${method} ${url.pathname}${url.search}`);
  };
  onTestFinished(() => {
    globalThis.fetch = real;
  });
}

/** The parameters of a path that a route matches. */
function paramsOf(route: string, method: string, path: string): Record<string, string> | undefined {
  const [wanted, template = ""] = route.split(" ");
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  const match = new RegExp(`^${template.replace(/\{\w+\}/g, "([^/]+)")}$`).exec(path);
  if (wanted !== method || match === null) return undefined;
  return Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(match[at + 1] ?? "")]));
}

/** The answer to a request that the server refuses. */
export function refusal(change: Partial<Problem>): Response {
  const problem: Problem = {
    ...{ type: "", title: "Not valid", status: 422, detail: "Not valid", instance: "", code: "invalid-body" },
    ...{ request_id: "r", errors: [], ...change },
  };
  return Response.json(problem, { status: problem.status });
}

export function textsOf(locator: Locator): readonly (string | null)[] {
  return locator.elements().map(({ textContent }) => textContent);
}

/** Resolves when the page has painted its current state. */
export function painted(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/** As a spreadsheet or an editor would. */
export async function pasteInto(target: Locator, text: string): Promise<void> {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const element = await target.findElement();
  element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}
