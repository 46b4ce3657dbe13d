import { join } from "node:path";

/** Where a package of Weft keeps the files of Swagger UI. */
export const SWAGGER_DISTRIBUTION = join(import.meta.dirname, "..", "swagger-ui");
