import type { Network, Tool } from "@weft/shared/records/process-record.ts";
import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { Link } from "react-router-dom";
import { useRights } from "../../api/session-query.ts";
import { links } from "../../format/links.ts";
import { processName } from "../../format/process-name.ts";
import { Code } from "../../ui/code-block.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import type { Fact } from "../../ui/titled-section.tsx";
import { NameLink, TextLink } from "../../ui/text-link.tsx";

/** The network or tool of a run, linked to its page. A run of another engine has no page. */
export function ProcessLink({ run }: { readonly run: Pick<RunSummary, "network" | "tool" | "foreign"> }) {
  if (run.foreign === true) return <>{processName(run)}</>;
  return (
    <TextLink to={links.processOf(run)} title={(run.network ?? run.tool)?.id}>
      {processName(run)}
    </TextLink>
  );
}

interface CatalogNameProps {
  readonly to: string;
  readonly id: string;
  readonly label: string | undefined;
  /** Text below the ID of an entry without a label. */
  readonly more?: string;
}

/** A network or tool in a list, named as its page is: by its label, with the ID below. */
export function CatalogName({ to, id, label, more = "" }: CatalogNameProps) {
  return (
    <div className="max-w-120 min-w-0">
      <NameLink to={to}>{label ?? id}</NameLink>
      <p className={`truncate text-small text-soft ${label === undefined ? "" : "code"}`}>
        {label === undefined ? more : id}
      </p>
    </div>
  );
}

/** Links to the run form of a network; renders nothing for users who may not start runs. */
export function RunNetworkLink({ id }: { readonly id: string }) {
  if (!useRights().has("runner")) return null;
  return (
    <Link className="btn btn-small" to={links.network({ id }, { tab: "run" })} aria-label={`Run ${id}`}>
      <Icon name="play" className="size-3.5" /> Run
    </Link>
  );
}

/** The source of an imported version; empty for a version of this catalog. */
export function importedFacts({ version, versions }: Pick<Network | Tool, "version" | "versions">): readonly Fact[] {
  const imported = versions.find((candidate) => candidate.version === version)?.imported;
  if (imported === undefined) return [];
  return [["Imported from", <Code key="imported">{imported.from}</Code>]];
}

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

/** True if the user may write tools and networks on this server. */
export function useCanEdit(): boolean {
  const { session, has } = useRights();
  return session?.workbench === true && has("author");
}
