import type { CwlVersion } from "../../model/cwl-version.ts";
import type { Requirement } from "../../model/requirement.ts";

const V1_0_DEFAULTS: readonly Requirement[] = [
  { class: "LoadListingRequirement", loadListing: "deep_listing" },
  { class: "NetworkAccess", networkAccess: true },
];

/** Features that a version enables by default and later versions only on request. CWL v1.1 CommandLineTool.html#Changelog. */
export function versionDefaults(version: CwlVersion): readonly Requirement[] {
  return version === "v1.0" ? V1_0_DEFAULTS : [];
}
