import { useQuery } from "@tanstack/react-query";
import type { UsedProcess } from "@weft/shared/records/draft-group-record.ts";
import type { VersionRecord } from "@weft/shared/records/process-record.ts";
import { routeQuery } from "../../api/route-query.ts";
import { links } from "../../format/links.ts";
import { InlineField, Select } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NameLink } from "../../ui/text-link.tsx";
import { useCanEdit } from "./process-link.tsx";

interface VersionSelectProps {
  readonly label: string;
  readonly versions: readonly VersionRecord[];
  readonly value: string;
  readonly onChange: (version: string) => void;
}

/** Chooses among the versions of a network or tool, newest first. */
export function VersionSelect({ label, versions, value, onChange }: VersionSelectProps) {
  return (
    <InlineField label={label}>
      <Select
        className="w-auto"
        value={value}
        options={versions.map(({ version, deprecated }) => ({
          id: version,
          label: deprecated ? `${version} (deprecated)` : version,
        }))}
        onChoose={onChange}
      />
    </InlineField>
  );
}

/** Tells authors that networks run an older version; renders nothing for others. */
export function UpgradeNotice({ used }: { readonly used: UsedProcess }) {
  const canEdit = useCanEdit();
  const { data } = useQuery({ ...routeQuery("GET /api/upgrades", { query: used }), enabled: canEdit });
  const count = data?.networks.length ?? 0;
  if (!canEdit || count === 0) return null;
  return (
    <Notice role="note" className="mb-4" actions={<NameLink to={links.upgrades(used)}>Upgrade networks</NameLink>}>
      {count} {count === 1 ? "network runs" : "networks run"} an older version.
    </Notice>
  );
}
