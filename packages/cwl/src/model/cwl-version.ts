/** The versions of the language that a document can be written for, oldest first; v1.3 is still a draft. */
export const CWL_VERSIONS = ["v1.0", "v1.1", "v1.2", "v1.3.0-dev1"] as const;

export type CwlVersion = (typeof CWL_VERSIONS)[number];

/** True if a document of the version supports features introduced in `since`. */
export function isSinceVersion(version: CwlVersion, since: CwlVersion): boolean {
  return CWL_VERSIONS.indexOf(version) >= CWL_VERSIONS.indexOf(since);
}
