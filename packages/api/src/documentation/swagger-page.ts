import { randomBytes } from "node:crypto";
import { koaSwagger } from "koa2-swagger-ui";
import type { Context } from "../http/context.ts";

/** Renders Swagger UI into a context's answer. */
export type SwaggerPage = (ctx: Context) => void;

/** Swagger UI of the API below `prefix`, from local files and under a policy without 'unsafe-inline'. */
export function createSwaggerPage(prefix: string): SwaggerPage {
  const render = koaSwagger({
    title: "Weft API",
    routePrefix: false,
    swaggerCdnUrl: prefix,
    swaggerVersion: "swaggerui",
    favicon: `${prefix}/swaggerui/favicon-32x32.png`,
    hideTopbar: true,
    swaggerOptions: {
      dom_id: "#swagger-ui",
      url: `${prefix}/swagger.json`,
      layout: "StandaloneLayout",
      deepLinking: true,
      tryItOutEnabled: true,
      validatorUrl: null,
    },
  });
  return (ctx) => {
    const nonce = randomBytes(16).toString("base64");
    render(ctx, async () => undefined);
    ctx.set({ "Content-Security-Policy": swaggerPolicy(nonce), "Cache-Control": "no-store" });
    ctx.body = hardenSwaggerHtml(String(ctx.body), nonce);
  };
}

function swaggerPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * The template of koa2-swagger-ui has a web font from outside, a style attribute and inline blocks that cannot be
 * turned off: takes out the first two and puts the nonce on the blocks.
 */
export function hardenSwaggerHtml(html: string, nonce: string): string {
  return html
    .replace(/\s*<link href="https?:[^>]*>/g, "")
    .replace(/ xmlns(:\w+)?="[^"]*"/g, "")
    .replace(/(<svg[^>]*) style="[^"]*"/g, '$1 width="0" height="0" aria-hidden="true"')
    .replaceAll("<style>", `<style nonce="${nonce}">`)
    .replaceAll("<script>", `<script nonce="${nonce}">`);
}
