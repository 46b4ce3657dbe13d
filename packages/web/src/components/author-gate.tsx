import type { ReactNode } from "react";
import { useRights } from "../api/session-query.ts";
import { RoleGate } from "./role-gate.tsx";

/** Shows its content to authors, if the server has the workbench. */
export function AuthorGate({ children }: { readonly children: ReactNode }) {
  const { session } = useRights();
  if (session?.workbench === false)
    return (
      <p role="note" className="card px-4 py-3 text-soft">
        This server does not permit editing tools and networks in the browser (<code>--no-workbench</code>).
      </p>
    );
  return (
    <RoleGate needs="author" what="Editing tools and networks">
      {children}
    </RoleGate>
  );
}
