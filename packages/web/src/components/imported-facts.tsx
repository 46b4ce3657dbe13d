import type { Network, Tool } from "@weft/shared/records/process-record.ts";
import type { Fact } from "../ui/facts.tsx";

/** Where the shown version was imported from; empty for a version of this catalog. */
export function importedFacts({ version, versions }: Pick<Network | Tool, "version" | "versions">): readonly Fact[] {
  const imported = versions.find((candidate) => candidate.version === version)?.imported;
  if (imported === undefined) return [];
  return [
    [
      "Imported from",
      <span key="imported" className="code break-all">
        {imported.from}
      </span>,
    ],
  ];
}
