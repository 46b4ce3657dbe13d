import { ref, refs, type CrateGraph } from "./crate-graph.ts";

export const CONTEXT = [
  "https://w3id.org/ro/crate/1.1/context",
  "https://w3id.org/ro/crate/1.2/context",
  "https://w3id.org/ro/terms/workflow-run/context",
] as const;

const RO_CRATES = ["https://w3id.org/ro/crate/1.1", "https://w3id.org/ro/crate/1.2"];
const WORKFLOW_CRATE = "https://w3id.org/workflowhub/workflow-ro-crate/1.0";
export const PARAMETER_PROFILE = "https://bioschemas.org/profiles/FormalParameter/1.0-RELEASE";
export const WORKFLOW_PROFILE = "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE";

const PROCESS_PROFILE = { id: "https://w3id.org/ro/wfrun/process/0.5", name: "Process Run Crate", version: "0.5" };
const WORKFLOW_PROFILES = [
  PROCESS_PROFILE,
  { id: "https://w3id.org/ro/wfrun/workflow/0.5", name: "Workflow Run Crate", version: "0.5" },
  { id: WORKFLOW_CRATE, name: "Workflow RO-Crate", version: "1.0" },
];
const PROFILES = {
  process: [PROCESS_PROFILE],
  workflow: WORKFLOW_PROFILES,
  provenance: [
    ...WORKFLOW_PROFILES,
    { id: "https://w3id.org/ro/wfrun/provenance/0.5", name: "Provenance Run Crate", version: "0.5" },
  ],
};

/** Process: a single tool, without steps. Provenance: a network whose steps ran. Workflow: one whose steps did not. */
export type CrateKind = keyof typeof PROFILES;

/** Declares the profiles that the crate conforms to. Returns the ids for the root. */
export function addProfiles(graph: CrateGraph, kind: CrateKind): readonly string[] {
  const isNetwork = kind !== "process";
  graph.add({
    "@id": "ro-crate-metadata.json",
    "@type": "CreativeWork",
    about: ref("./"),
    conformsTo: refs(isNetwork ? [...RO_CRATES, WORKFLOW_CRATE] : RO_CRATES),
  });
  const profiles = PROFILES[kind];
  for (const { id, name, version } of profiles)
    graph.add({ "@id": id, "@type": ["CreativeWork", "Profile"], name, version });
  if (isNetwork)
    for (const [id, name] of [
      [PARAMETER_PROFILE, "FormalParameter"],
      [WORKFLOW_PROFILE, "ComputationalWorkflow"],
    ] as const)
      graph.add({ "@id": id, "@type": ["CreativeWork", "Profile"], name, version: "1.0-RELEASE" });
  return profiles.map(({ id }) => id);
}
