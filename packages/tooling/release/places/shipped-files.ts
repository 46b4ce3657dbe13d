import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** Where a package of Weft keeps what ships with it: the bundle is in its folder `lib`. */
export const SHIPPED = {
  catalog: join(ROOT, "catalog"),
  web: join(ROOT, "web"),
  packageJson: join(ROOT, "package.json"),
} as const;
