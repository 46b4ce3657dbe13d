import type { CwlVersion } from "../../model/cwl-version.ts";
import type { Requirement } from "../../model/requirement.ts";

/** What v1.0 took for granted and later versions ask for. CWL v1.2 CommandLineTool.html#Changelog_for_v1.1. */
const V1_0_DEFAULTS: readonly Requirement[] = [
  { class: "LoadListingRequirement", loadListing: "deep_listing" },
  { class: "NetworkAccess", networkAccess: true },
];

/** A process's hints, with its version's defaults spelled out where it does not say otherwise itself. */
export function upgradeHints(
  requirements: readonly Requirement[],
  hints: readonly Requirement[],
  version: CwlVersion,
): readonly Requirement[] {
  if (version !== "v1.0") return hints;
  const said = new Set([...requirements, ...hints].map((requirement) => requirement.class));
  return [...V1_0_DEFAULTS.filter((requirement) => !said.has(requirement.class)), ...hints];
}
