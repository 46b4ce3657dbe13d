import type { DatasetDetail } from "@weft/shared/records/dataset-record.ts";

export interface UnitChoiceProps {
  readonly detail: Pick<DatasetDetail, "kind" | "fields" | "sessions">;
  readonly per: readonly string[];
  readonly onChange: (per: readonly string[]) => void;
}

/** The choice of a sample's unit: a subject, a session, a file, or the fields of a pattern. */
export function UnitChoice({ detail, per, onChange }: UnitChoiceProps) {
  const chosen = per.join(",");
  const units = unitsOf(detail);
  const isKnown = units.some(({ value }) => value === chosen);
  return (
    <label className="block">
      <span className="mb-1 block font-medium">One sample for each</span>
      <select className="input w-auto" value={chosen} onChange={(event) => onChange(event.target.value.split(","))}>
        {!isKnown && <option value={chosen}>{per.join(" and ")}</option>}
        {units.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

function unitsOf({ kind, fields, sessions }: UnitChoiceProps["detail"]) {
  const file = { value: "path", label: "file" };
  if (kind === "bids") {
    const session = sessions === 0 ? [] : [{ value: "sub,ses", label: "session" }];
    const has = (name: string) => fields.some((field) => field.name === name);
    const run = has("run") ? [{ value: sessions === 0 ? "sub,task,run" : "sub,ses,task,run", label: "run" }] : [];
    return [{ value: "sub", label: "subject" }, ...session, ...run, file];
  }
  const names = fields.filter(({ name, source }) => source === "name" && name !== "extension").map(({ name }) => name);
  const single = names.map((name) => ({ value: name, label: name }));
  const pairs = names.slice(1).map((_, at) => names.slice(0, at + 2));
  return [...single, ...pairs.map((list) => ({ value: list.join(","), label: list.join(" and ") })), file];
}
