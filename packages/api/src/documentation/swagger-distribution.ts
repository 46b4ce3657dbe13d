import { createRequire } from "node:module";
import { dirname } from "node:path";

/** The folder of Swagger UI's files. A released package has its own module for this (tooling/release/places). */
export const SWAGGER_DISTRIBUTION = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
