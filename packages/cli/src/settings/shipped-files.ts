import { join } from "node:path";

const PACKAGES = join(import.meta.dirname, "../../..");

/** The places of the files that ship with Weft, in the source tree. A released package has its own module (tooling/release/places). */
export const SHIPPED = {
  catalog: join(PACKAGES, "catalog"),
  web: join(PACKAGES, "web/dist"),
  packageJson: join(PACKAGES, "cli/package.json"),
} as const;
