import { join } from "node:path";

/** The folder in which a package of Weft keeps the files of Swagger UI. */
export const SWAGGER_DISTRIBUTION = join(import.meta.dirname, "..", "swagger-ui");
