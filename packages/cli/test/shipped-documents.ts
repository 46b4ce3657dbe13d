import { fileURLToPath } from "node:url";

const pathOf = (path: string) => fileURLToPath(new URL(`../../catalog/${path}`, import.meta.url));

/** Paths of documents in the catalog that ships with Weft. */
export const SHIPPED_DOCUMENTS = {
  imaging: pathOf("networks/imaging-cohort/imaging-cohort.cwl"),
  twoSubjects: pathOf("networks/imaging-cohort/examples/two-subjects-fixed.yml"),
  threshold: pathOf("tools/threshold/2.0.0/threshold.cwl"),
};
