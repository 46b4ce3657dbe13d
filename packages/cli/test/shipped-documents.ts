import { fileURLToPath } from "node:url";

const pathOf = (path: string) => fileURLToPath(new URL(`../../catalog/${path}`, import.meta.url));

/** Documents of the catalog that Weft brings along, by their paths. */
export const SHIPPED_DOCUMENTS = {
  imaging: pathOf("networks/imaging-cohort/imaging-cohort.cwl"),
  twoSubjects: pathOf("networks/imaging-cohort/examples/two-subjects-fixed.yml"),
  threshold: pathOf("tools/threshold/2.0.0/threshold.cwl"),
};
