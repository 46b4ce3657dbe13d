import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** The paths of the files that ship with Weft, in a package, whose folder `lib` contains the bundle. */
export const SHIPPED = {
  catalog: join(ROOT, "catalog"),
  web: join(ROOT, "web"),
  packageJson: join(ROOT, "package.json"),
} as const;
