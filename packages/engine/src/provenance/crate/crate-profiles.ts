import { ref } from "./crate-graph.ts";
import type { CrateGraph } from "./crate-graph.ts";

export const CONTEXT = [
  "https://w3id.org/ro/crate/1.1/context",
  "https://w3id.org/ro/terms/workflow-run/context",
] as const;

const RO_CRATE = "https://w3id.org/ro/crate/1.1";
const WORKFLOW_CRATE = "https://w3id.org/workflowhub/workflow-ro-crate/1.0";
export const PARAMETER_PROFILE = "https://bioschemas.org/profiles/FormalParameter/1.0-RELEASE";
export const WORKFLOW_PROFILE = "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE";

const PROCESS_PROFILE = {
  id: "https://w3id.org/ro/wfrun/process/0.5",
  name: "Process Run Crate",
  version: "0.5",
};
const PROFILES = [
  PROCESS_PROFILE,
  { id: "https://w3id.org/ro/wfrun/workflow/0.5", name: "Workflow Run Crate", version: "0.5" },
  { id: "https://w3id.org/ro/wfrun/provenance/0.5", name: "Provenance Run Crate", version: "0.5" },
  { id: WORKFLOW_CRATE, name: "Workflow RO-Crate", version: "1.0" },
] as const;

/**
 * Declares the profiles that the crate conforms to: those of workflows for a network, and that of processes for a
 * single tool, which has no steps. Returns the ids for the root.
 */
export function addProfiles(graph: CrateGraph, isNetwork: boolean): readonly string[] {
  graph.add({
    "@id": "ro-crate-metadata.json",
    "@type": "CreativeWork",
    about: ref("./"),
    conformsTo: isNetwork ? [ref(RO_CRATE), ref(WORKFLOW_CRATE)] : ref(RO_CRATE),
  });
  const profiles = isNetwork ? PROFILES : [PROCESS_PROFILE];
  for (const { id, name, version } of profiles) graph.add({ "@id": id, "@type": "CreativeWork", name, version });
  if (isNetwork)
    for (const [id, name] of [
      [PARAMETER_PROFILE, "FormalParameter"],
      [WORKFLOW_PROFILE, "ComputationalWorkflow"],
    ] as const)
      graph.add({ "@id": id, "@type": "CreativeWork", name, version: "1.0-RELEASE" });
  return profiles.map(({ id }) => id);
}
