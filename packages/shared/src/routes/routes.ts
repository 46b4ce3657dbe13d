import type { z } from "zod";
import { archiveRoutes } from "./archive-routes.ts";
import { automationRoutes } from "./automation-routes.ts";
import { catalogRoutes } from "./catalog-routes.ts";
import { draftGroupRoutes } from "./draft-group-routes.ts";
import { datasetRoutes } from "./dataset-routes.ts";
import { draftRoutes } from "./draft-routes.ts";
import { exportRoutes } from "./export-routes.ts";
import { insightRoutes } from "./insight-routes.ts";
import { operationsRoutes } from "./operations-routes.ts";
import type { RouteAnswer, RouteDeclaration } from "./route.ts";
import { provenanceRoutes } from "./provenance-routes.ts";
import { reviewRoutes } from "./review-routes.ts";
import { tableRoutes } from "./table-routes.ts";
import { runRoutes } from "./run-routes.ts";
import { serverRoutes } from "./server-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { storageRoutes } from "./storage-routes.ts";
import { subscriptionRoutes } from "./subscription-routes.ts";
import { testRoutes } from "./test-routes.ts";
import { trsRoutes } from "./trs-routes.ts";
import { wesRoutes } from "./wes-routes.ts";

/** Every route of the REST API, declared once. */
export const routes = {
  ...catalogRoutes,
  ...testRoutes,
  ...draftRoutes,
  ...draftGroupRoutes,
  ...exportRoutes,
  ...datasetRoutes,
  ...runRoutes,
  ...tableRoutes,
  ...reviewRoutes,
  ...insightRoutes,
  ...provenanceRoutes,
  ...archiveRoutes,
  ...storageRoutes,
  ...subscriptionRoutes,
  ...automationRoutes,
  ...serverRoutes,
  ...operationsRoutes,
  ...sessionRoutes,
  ...wesRoutes,
  ...trsRoutes,
};

export type Routes = typeof routes;
export type RouteId = keyof Routes;

type Declared<Id extends RouteId, Part extends keyof RouteDeclaration> = Routes[Id] extends {
  readonly [K in Part]: infer S;
}
  ? S
  : undefined;
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;
type Written<S> = S extends z.ZodType ? z.input<S> : undefined;

/** The parsed request that a handler receives. */
export type RouteParams<Id extends RouteId> = Parsed<Declared<Id, "params">>;
export type RouteQuery<Id extends RouteId> = Parsed<Declared<Id, "query">>;
export type RouteBody<Id extends RouteId> = Parsed<Declared<Id, "body">>;
/** The request headers that a route declares, by their lower-case names. */
export type RouteHeaders<Id extends RouteId> = Parsed<Declared<Id, "headers">>;

/** The request as a client writes it. */
export type RouteParamsInput<Id extends RouteId> = Written<Declared<Id, "params">>;
export type RouteQueryInput<Id extends RouteId> = Written<Declared<Id, "query">>;
export type RouteBodyInput<Id extends RouteId> = Written<Declared<Id, "body">>;

type BodyOf<Answer> = Answer extends { readonly schema: infer S } ? Parsed<S> : undefined;
type AnswersOf<Id extends RouteId> = Routes[Id]["answers"];

/** The JSON body of one status of a route; undefined if it has none. */
export type RouteAnswerBody<Id extends RouteId, Status extends keyof AnswersOf<Id>> = BodyOf<AnswersOf<Id>[Status]>;

/** The JSON bodies of all statuses of a route except 304, which has none: the client throws it like a problem. */
export type RouteResult<Id extends RouteId> = {
  [Status in Exclude<keyof AnswersOf<Id>, 304>]: AnswersOf<Id>[Status] extends RouteAnswer
    ? BodyOf<AnswersOf<Id>[Status]>
    : never;
}[Exclude<keyof AnswersOf<Id>, 304>];
