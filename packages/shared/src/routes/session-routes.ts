import { createSessionSchema, sessionSchema, ticketSchema } from "../records/session-record.ts";
import type { RouteTable } from "./route.ts";

export const sessionRoutes = {
  "GET /api/session": {
    operationId: "getSession",
    tag: "session",
    summary: "Whether there is a login, and who you are",
    access: "open",
    answers: { 200: { description: "The session", schema: sessionSchema } },
    problems: [],
  },
  "POST /api/session": {
    operationId: "signIn",
    tag: "session",
    summary: "Sign a browser in",
    description:
      "Takes the one-time code of a sign-in link or a token, and sets a cookie that ends with it, after 7 days at the latest. Programs send the token as `Authorization: Bearer` instead.",
    access: "open",
    body: createSessionSchema,
    answers: { 204: { description: "Signed in; nothing to do where there is no login" } },
    problems: ["unauthorized", "forbidden", "login-unavailable"],
  },
  "DELETE /api/session": {
    operationId: "signOut",
    tag: "session",
    summary: "Sign this browser out",
    access: "open",
    answers: { 204: { description: "The cookie is gone" } },
    problems: [],
  },
  "POST /api/events/tickets": {
    operationId: "createEventTicket",
    tag: "session",
    access: "viewer",
    summary: "A ticket for one WebSocket",
    description: "For programs that cannot send headers with an upgrade: `/api/events?ticket=…` within 30 s, once.",
    answers: {
      201: { description: "The ticket", schema: ticketSchema },
    },
    problems: [],
  },
} as const satisfies RouteTable;
