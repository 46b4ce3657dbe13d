import { createSessionSchema, sessionSchema, ticketSchema } from "../records/session-record.ts";
import { routesOf, type RouteTable } from "./route.ts";

export const sessionRoutes = routesOf("session", {
  "GET /api/session": {
    operationId: "getSession",
    summary: "Get the login mode and your identity",
    access: "open",
    answers: { 200: { description: "The session", schema: sessionSchema } },
  },
  "POST /api/session": {
    operationId: "signIn",
    summary: "Sign in a browser",
    description:
      "Takes the one-time code of a sign-in link, or a token, and sets a cookie. It expires with the token, at most after 7 days. Programs send the token as `Authorization: Bearer` instead.",
    access: "open",
    body: createSessionSchema,
    answers: { 204: { description: "Signed in; no effect without a login" } },
    problems: ["unauthorized", "login-unavailable"],
  },
  "DELETE /api/session": {
    operationId: "signOut",
    summary: "Sign out this browser",
    access: "open",
    answers: { 204: { description: "Signed out" } },
  },
  "POST /api/events/tickets": {
    operationId: "createEventTicket",
    access: "viewer",
    summary: "Get a ticket for a WebSocket",
    description: "For programs that cannot send headers with an upgrade: open `/api/events?ticket=…` once within 30 s.",
    answers: { 201: { description: "The ticket", schema: ticketSchema } },
  },
} as const satisfies RouteTable);
