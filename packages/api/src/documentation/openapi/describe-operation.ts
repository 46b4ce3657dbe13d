import { z } from "zod";
import type { ZodOpenApiOperationObject, ZodOpenApiRequestBodyObject } from "zod-openapi";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import type { RouteId } from "@weft/shared/routes/routes.ts";
import { describeResponses } from "./describe-responses.ts";
import { REQUEST_EXAMPLES } from "./request-examples.ts";
import { curlLine } from "./request-line.ts";

/** One route of the shared table as an OpenAPI operation. */
export function describeOperation(id: RouteId, declaration: RouteDeclaration, base: string): ZodOpenApiOperationObject {
  const { operationId, tag, summary } = declaration;
  const [method = "", path = ""] = id.split(" ");
  const requestBody = describeBody(id, declaration);
  return {
    operationId,
    tags: [tag],
    summary,
    description: [declaration.description, roleText(declaration)].filter((text) => text !== undefined).join("\n\n"),
    requestParams: describeParameters(declaration),
    ...(requestBody === undefined ? {} : { requestBody }),
    security: describeSecurity(declaration),
    responses: describeResponses(method, path, declaration),
    "x-codeSamples": [{ lang: "Shell", label: "curl", source: curlLine(id, declaration, base) }],
  };
}

/** OpenAPI 3.1 puts roles into the security requirement. The empty requirement: a server without a login. */
function describeSecurity({ access }: RouteDeclaration): Record<string, string[]>[] {
  return access === "open" ? [] : [{ bearer: [access] }, { session: [access] }, {}];
}

function roleText({ access, onlyOwnRuns }: RouteDeclaration): string {
  if (access === "open") return "Requires no login.";
  return onlyOwnRuns === true ? `Role: ${access} for the caller's own runs, admin for all runs.` : `Role: ${access}.`;
}

function describeParameters({
  params,
  query,
  headers,
}: RouteDeclaration): NonNullable<ZodOpenApiOperationObject["requestParams"]> {
  return {
    ...(params === undefined ? {} : { path: params }),
    ...(query === undefined ? {} : { query }),
    ...(headers === undefined ? {} : { header: headers }),
  };
}

function describeBody(
  id: RouteId,
  { body, bodyMediaType, bodyIsOptional, takesForm, form }: RouteDeclaration,
): ZodOpenApiRequestBodyObject | undefined {
  if (form !== undefined) {
    const content = {
      "multipart/form-data": { schema: withFiles(form) },
      "application/x-www-form-urlencoded": { schema: form },
    };
    return { required: true, content };
  }
  if (bodyMediaType !== undefined) return describeUpload(bodyMediaType);
  if (body === undefined) return undefined;
  const examples = REQUEST_EXAMPLES[id];
  return {
    required: bodyIsOptional !== true,
    content: {
      "application/json": { schema: body, ...(examples === undefined ? {} : { examples }) },
      ...(takesForm === true ? { "multipart/form-data": { schema: formOf(body) } } : {}),
    },
  };
}

function withFiles(form: z.ZodObject): z.ZodType {
  return form.extend({ workflow_attachment: z.array(z.string().meta({ format: "binary" })).optional() });
}

/** Describes a form, in which every part except `run` is a file. */
function formOf(body: z.ZodType): z.ZodType {
  return z.object({ run: body }).catchall(z.string().meta({ format: "binary" }));
}

/** An upload is a plain stream, or the only file of a form. */
function describeUpload(mediaType: string): ZodOpenApiRequestBodyObject {
  const bytes = { type: "string", format: "binary" } as const;
  const form = { type: "object" as const, properties: { file: bytes }, required: ["file"] };
  return { required: true, content: { [mediaType]: { schema: bytes }, "multipart/form-data": { schema: form } } };
}
