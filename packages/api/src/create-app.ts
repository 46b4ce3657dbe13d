import type { IncomingMessage } from "node:http";
import { Router } from "@koa/router";
import Koa from "koa";
import compress from "koa-compress";
import type { Site } from "./address/host-policy.ts";
import { createHandlers } from "./handlers/create-handlers.ts";
import type { ServerParts } from "./server-parts.ts";
import type { RequestState } from "./http/context.ts";
import { prepareRequest } from "./http/prepare-request.ts";
import { problemMiddleware } from "./http/problem-middleware.ts";
import { OpenApiDocuments } from "./openapi/openapi-documents.ts";
import { addDocumentationRoutes } from "./pages/documentation-routes.ts";
import { addPageRoutes } from "./pages/page-routes.ts";
import type { WebPage } from "./pages/web-page.ts";
import { answerUnmatched } from "./routing/answer-unmatched.ts";
import { bindRoutes } from "./routing/bind-routes.ts";

export interface AppOptions {
  readonly parts: ServerParts;
  readonly sites: WeakMap<IncomingMessage, Site>;
  readonly principal: string;
  readonly prefix: string;
  readonly version: string;
  readonly page: WebPage;
  readonly webRoot: string | undefined;
}

/** Puts the middleware in order. Everything that can refuse stands inside the problem middleware. */
export function createApp(options: AppOptions): Koa<RequestState> {
  const { parts, sites, principal, page } = options;
  const router = createRouter(options);
  const app = new Koa<RequestState>();
  app.use(prepareRequest({ sites, principal, log: parts.log }));
  app.use(compress({ zstd: false }));
  app.use(problemMiddleware(parts.log));
  app.use(router.routes());
  app.use(answerUnmatched(router, page));
  // What comes here happened while an answer was on its way, nearly always a client that left.
  app.on("error", (error: Error) =>
    parts.log({ level: "debug", message: "An answer could not be sent", error: error.message }),
  );
  return app;
}

/** Paths are compared letter by letter: one that differs in case or by a slash at the end is another path. */
function createRouter({ parts, version, prefix, page, webRoot }: AppOptions): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  bindRoutes(router, createHandlers(parts));
  addDocumentationRoutes(router, new OpenApiDocuments(version), prefix);
  addPageRoutes(router, page, webRoot);
  return router;
}
