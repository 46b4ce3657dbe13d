import { queryOptions } from "@tanstack/react-query";
import { ApiError } from "@weft/shared/routes/client.ts";
import { api } from "../../../api/client.ts";
import { seen } from "../../../api/queries/draft-queries.ts";
import { routeKey } from "../../../api/route-query.ts";
import type { DraftSession } from "./draft-session.ts";

/** Saves the displayed texts and the changes of the drawing, and then calls `act` with the revision that contains them. */
export async function actOnDraft<Result>(
  session: DraftSession,
  act: (revision: number) => Promise<Result>,
): Promise<Result> {
  await session.compute(async () => undefined); // the changes so far
  const revision = await session.saved();
  return unlessStale(session, () => act(revision));
}

/** If the server refuses because another user has saved, shows that user's text before the refusal. */
async function unlessStale<Result>(session: DraftSession, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    const isStale = error instanceof ApiError && error.status === 412;
    // Without a connection, the window checks again later.
    if (isStale) await session.refresh().catch(() => undefined);
    throw error;
  }
}

/** The server's findings about one revision of a draft. */
export function draftCheckQuery(id: string, session: DraftSession, revision = session.revision) {
  const request = { params: { draft_id: id }, headers: seen(revision) };
  return queryOptions({
    queryKey: routeKey("GET /api/drafts/{draft_id}/check", request),
    queryFn: async ({ signal }) => {
      // A revision that is being replaced is not worth a request.
      await session.settled();
      if (session.revision !== revision) throw new Error("The draft has just changed. Try again.");
      return unlessStale(session, () => api("GET /api/drafts/{draft_id}/check", { ...request, signal }));
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
