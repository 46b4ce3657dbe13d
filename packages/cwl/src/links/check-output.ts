import type { OutputParameter } from "../model/process.ts";
import { checkLinkType } from "./check-link-type.ts";
import type { LinkFindings } from "./link-findings.ts";
import { acceptsNull, resolveLink, type LinkSources } from "./link-source.ts";

/** The link that feeds an output of a workflow. */
export function checkOutput(output: OutputParameter, sources: LinkSources, findings: LinkFindings): void {
  const { id, type, outputSource: link } = output;
  const at = { part: output, field: "outputSource", place: `outputs.${id}` };
  if (link === undefined) {
    if (!acceptsNull(type)) findings.add(at, { severity: "warning", ...WITHOUT_SOURCE });
    return;
  }
  const linked = resolveLink(link, sources, at, findings);
  if (linked === undefined) return;
  const sink = { type, name: `the output \`${id}\``, canScatter: false, toleratesNull: false };
  checkLinkType(link, linked, sink, at, findings);
}

const WITHOUT_SOURCE = {
  code: "missing-source",
  message: "the output has no `outputSource`, so it will be null",
};
