import { join } from "node:path";
import { writeFiles } from "@weft/shared/testing/temporary-folder.ts";

const SMOOTH = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: smooth
inputs:
  images: { type: "File[]", default: [], inputBinding: { position: 1 } }
  note: { type: string?, inputBinding: { position: 2 } }
  helper: { type: File, default: { class: File, location: ../../../lib/a b.sh } }
  table: { type: File, default: { class: File, location: ../../../lib/table.bin } }
outputs:
  report: { type: "File[]", outputBinding: { glob: "*" } }
`;

const COHORT = `cwlVersion: v1.2
class: Workflow
label: Imaging cohort
inputs:
  images: { type: "File[]", default: [] }
  note: string?
outputs:
  report: { type: "File[]", outputSource: smooth/report }
steps:
  smooth:
    run: ../../tools/smooth/1.0.0/smooth.cwl
    in: { images: images, note: note }
    out: [report]
`;

const TEST = "inputs: { note: quick }\noutputs: { report: { count: 0 } }\n";

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  "catalog/tools/smooth/1.0.0/smooth.cwl": SMOOTH,
  "catalog/tools/smooth/1.0.0/tests/one-subject.yml": TEST,
  "catalog/tools/smooth/2.0.0/smooth.cwl": `${SMOOTH}label: Smooth\n`,
  "catalog/networks/imaging-cohort/imaging-cohort.cwl": COHORT,
  "catalog/networks/imaging-cohort/examples/cohort.json": '{"images":[]}',
  "catalog/lib/a b.sh": "echo a",
  "catalog/lib/table.bin": new Uint8Array([0xff, 0xfe]),
  "cohort/a.nii": "image",
  "study/dataset_description.json": '{"Name":"Study","BIDSVersion":"1.10.0"}',
  "study/participants.tsv": "participant_id\tage\nsub-01\t70\n",
  "study/sub-01/anat/sub-01_T1w.nii": "image",
};

/** Writes a catalog with the network `imaging-cohort`, which runs the tool `smooth`, and two data folders. Returns these by name. */
export function writeTestCatalog(root: string): Readonly<Record<string, string>> {
  writeFiles(root, FILES);
  return { cohort: join(root, "cohort"), study: join(root, "study") };
}
