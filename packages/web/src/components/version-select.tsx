import type { VersionRecord } from "@weft/shared/records/process-record.ts";

export interface VersionSelectProps {
  readonly label: string;
  readonly versions: readonly VersionRecord[];
  readonly value: string;
  /** Text of the empty choice; absent: a version is always selected. */
  readonly emptyLabel?: string;
  readonly onChange: (version: string) => void;
}

/** Chooses among the versions of a network or tool, newest first. */
export function VersionSelect({ label, versions, value, emptyLabel, onChange }: VersionSelectProps) {
  return (
    <label className="flex items-center gap-2">
      <span className="text-soft">{label}</span>
      <select className="input w-auto" value={value} onChange={(event) => onChange(event.target.value)}>
        {emptyLabel !== undefined && <option value="">{emptyLabel}</option>}
        {versions.map(({ version, deprecated }) => (
          <option key={version} value={version}>
            {version}
            {deprecated ? " (deprecated)" : ""}
          </option>
        ))}
      </select>
    </label>
  );
}
