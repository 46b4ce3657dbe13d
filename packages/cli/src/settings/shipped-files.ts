import { join } from "node:path";

const PACKAGES = join(import.meta.dirname, "../../..");

/**
 * The paths of the files that ship with Weft, in the source tree. Released packages have their own module
 * (tooling/release/places).
 */
export const SHIPPED = {
  catalog: join(PACKAGES, "catalog"),
  web: join(PACKAGES, "web/dist"),
  packageJson: join(PACKAGES, "cli/package.json"),
} as const;
