import type { PublishedVersion } from "@weft/shared/records/draft-record.ts";
import { useLocation, useNavigate } from "react-router-dom";
import { onDemand } from "../ui/on-demand.tsx";

const CommitDialog = onDemand(() => import("./commit-dialog.tsx"));

/** State of a navigation after publishing. */
export interface PublishedState {
  readonly published: readonly PublishedVersion[];
}

/** Offers a commit on the page that is shown after publishing, where the server allows commits. */
export function CommitOffer() {
  const { state, pathname, search } = useLocation();
  const navigate = useNavigate();
  const published = publishedIn(state).filter(({ can_commit: canCommit }) => canCommit);
  if (published.length === 0) return null;
  const close = (): void => void navigate(pathname + search, { replace: true, state: null });
  return <CommitDialog versions={published} onClose={close} />;
}

/** The state of a navigation may have any shape. */
function publishedIn(state: unknown): readonly PublishedVersion[] {
  if (typeof state !== "object" || state === null || !("published" in state)) return [];
  return Array.isArray(state.published) ? state.published : [];
}
