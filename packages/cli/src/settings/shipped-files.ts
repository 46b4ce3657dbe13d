import { join } from "node:path";

const PACKAGES = join(import.meta.dirname, "../../..");

/** Where the source tree has the files that ship with Weft. A released package has its own module (tooling/release/places). */
export const SHIPPED = {
  catalog: join(PACKAGES, "catalog"),
  web: join(PACKAGES, "web/dist"),
  packageJson: join(PACKAGES, "cli/package.json"),
} as const;
