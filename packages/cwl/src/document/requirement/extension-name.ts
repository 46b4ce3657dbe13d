import { expandPrefix } from "../fields/extension-field.ts";
import type { Scope } from "../fields/scope.ts";

const CWLTOOL_EXTENSIONS = "http://commonwl.org/cwltool#";
const CWL = "https://w3id.org/cwl/cwl#";

/** The requirement for loops that the reference runner added to v1.2; in v1.3, steps have fields for loops. */
export const LOOP_REQUIREMENT = `${CWLTOOL_EXTENSIONS}Loop`;

export const SECRETS_REQUIREMENT = `${CWLTOOL_EXTENSIONS}Secrets`;

/** The name under which CWL later adopted an extension of the reference runner; other names stay unchanged. */
export function standardName(name: string, scope: Scope): string {
  const iri = extensionIri(name, scope);
  if (iri === `${CWLTOOL_EXTENSIONS}TimeLimit`) return "ToolTimeLimit";
  const prefix = [CWLTOOL_EXTENSIONS, CWL].find((candidate) => iri.startsWith(candidate));
  return prefix === undefined ? name : iri.slice(prefix.length);
}

/** A requirement's class with its prefix spelled out; `cwltool:` is understood without being declared. */
export function extensionIri(name: string, scope: Scope): string {
  const iri = expandPrefix(name, scope);
  return iri === name && name.startsWith("cwltool:") ? CWLTOOL_EXTENSIONS + name.slice("cwltool:".length) : iri;
}
