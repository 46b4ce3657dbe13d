import type { Role } from "@weft/shared/records/role.ts";
import type { RunSummary } from "@weft/shared/records/run-record.ts";
import type { ReactNode } from "react";
import { useRights } from "../api/session-query.ts";
import { Notice } from "../ui/notice.tsx";

interface RoleGateProps {
  readonly needs: Role;
  /** The action, at the beginning of a sentence: `Starting a run`. */
  readonly what: string;
  readonly children: ReactNode;
}

/** Shows its content to users with the role, and tells all others which role is required. */
export function RoleGate({ needs, what, children }: RoleGateProps) {
  const { session, has } = useRights();
  if (has(needs)) return children;
  return (
    <Notice role="note">
      {what} requires the role <b>{needs}</b>. You are signed in as {session?.principal ?? "nobody"}
      {session?.role == null ? "" : ` with the role ${session.role}`}. Ask your administrator for access.
    </Notice>
  );
}

/** Shows its content to authors, if the server has the workbench. */
export function AuthorGate({ children }: { readonly children: ReactNode }) {
  const { session } = useRights();
  if (session?.workbench === false)
    return (
      <Notice role="note">
        This server does not permit editing tools and networks in the browser (<code>--no-workbench</code>).
      </Notice>
    );
  return (
    <RoleGate needs="author" what="Editing tools and networks">
      {children}
    </RoleGate>
  );
}

/** Runs of another engine cannot be repeated here. */
export function useCanRunAgain({ foreign }: Pick<RunSummary, "foreign">): boolean {
  return useRights().has("runner") && foreign !== true;
}
