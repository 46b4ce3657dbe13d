import { Link } from "react-router-dom";
import { useRights } from "../api/session-query.ts";
import { Icon, type IconName } from "../ui/icon.tsx";

interface EditLinkProps {
  readonly to: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly className?: string;
}

/** Leads to the workbench; renders nothing for users who may not edit, and where the server has no workbench. */
export function EditLink({ to, label, icon = "edit", className = "btn" }: EditLinkProps) {
  if (!useCanEdit()) return null;
  return (
    <Link className={className} to={to}>
      <Icon name={icon} /> {label}
    </Link>
  );
}

/** Leads to a new tool or network, and to imports. */
export function NewLinks({ to, label }: Pick<EditLinkProps, "to" | "label">) {
  return (
    <>
      <EditLink to="/import" label="Import" icon="upload" />
      <EditLink to={to} label={label} icon="plus" />
    </>
  );
}

/** Whether the user may write tools and networks on this server. */
export function useCanEdit(): boolean {
  const { session, has } = useRights();
  return session?.workbench === true && has("author");
}
