import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const distribution = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

/** What may be read below /swaggerui/, name by name. The page's template asks for the style sheet as `.min.css`. */
export const SWAGGER_ASSETS: ReadonlyMap<string, { readonly path: string; readonly mediaType: string }> = new Map([
  asset("swagger-ui-bundle.js", "text/javascript; charset=utf-8"),
  asset("swagger-ui-standalone-preset.js", "text/javascript; charset=utf-8"),
  asset("swagger-ui.css", "text/css; charset=utf-8"),
  asset("swagger-ui.css", "text/css; charset=utf-8", "swagger-ui.min.css"),
  asset("favicon-16x16.png", "image/png"),
  asset("favicon-32x32.png", "image/png"),
]);

function asset(
  file: string,
  mediaType: string,
  name = file,
): readonly [string, { readonly path: string; readonly mediaType: string }] {
  return [name, { path: join(distribution, file), mediaType }];
}
