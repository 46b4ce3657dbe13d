import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import type { RouteId } from "@weft/shared/routes/routes.ts";
import { REQUEST_EXAMPLES } from "./request-examples.ts";

/** Values of the path parameters of examples. */
const PATH_VALUES: Readonly<Record<string, string>> = {
  id: "imaging-cohort",
  version: "1.0.0",
  run_id: "019a9c5e-7b1a-7cc0-8000-3f2b1c0d9e8f",
  subscription_id: "4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11",
  delivery_id: "4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11.42",
  group_id: "5d0b1c52-6a5e-4f0f-9f3c-0a9b3d1f7c12",
  query_id: "0b7c1c52-6a5e-4f0f-9f3c-0a9b3d1f7c11",
  automation_id: "7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10",
  draft_id: "0b7c1c52-6a5e-4f0f-9f3c-0a9b3d1f7c11",
  digest: `sha256:${"5f".repeat(32)}`,
  job_id: "smooth.0",
  task_id: "smooth.0",
  version_id: "1.0.0",
  type: "CWL",
  path: "measures.csv",
};

/** Query parameters that a route requires. */
const QUERY_VALUES: { readonly [Id in RouteId]?: Readonly<Record<string, string>> } = {
  "GET /api/runs/{run_id}/comparison": { with: "019a9c60-0d52-7aa1-8000-5b6c7d8e9f01" },
  "GET /api/feeds/{subscription_id}": { token: "TOKEN" },
  "GET /api/upgrades": { kind: "tool", id: "threshold", version: "2.0.0" },
  "GET /api/datasets/detail": { location: "weft-data://study/" },
  "GET /api/datasets/files": { location: "weft-data://study/" },
  "POST /api/files": { name: "sub-01.nii" },
};

const FORM_FIELDS: { readonly [Id in RouteId]?: readonly string[] } = {
  "POST /ga4gh/wes/v1/runs": ["workflow_type=CWL", "workflow_type_version=v1.2", "workflow_url=imaging-cohort"],
};

export interface RequestParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The example of a route: everything that its declaration checks. */
export function exampleRequest(id: RouteId, { params, body }: RouteDeclaration): RequestParts {
  const names = Object.keys(params?.shape ?? {});
  const isTool = id.includes("/tools/{id}") && !id.includes("/ga4gh/");
  const values: Readonly<Record<string, string>> = {
    ...PATH_VALUES,
    ...(isTool ? { id: "smooth" } : {}),
    ...(id.includes("/trs/") ? { id: "smooth" } : {}),
  };
  return {
    params: Object.fromEntries(names.map((name) => [name, values[name] ?? ""])),
    query: QUERY_VALUES[id] ?? {},
    body: body === undefined ? undefined : Object.values(REQUEST_EXAMPLES[id] ?? {})[0]?.value,
  };
}

/** The example of a route as a command line of curl. */
export function curlLine(id: RouteId, declaration: RouteDeclaration, base: string): string {
  const { params, query, body } = exampleRequest(id, declaration);
  const [method = "", path = ""] = id.split(" ");
  const search = new URLSearchParams(query).toString();
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  return [
    "curl -s",
    ...(method === "GET" ? [] : [`-X ${method}`]),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`]),
    ...(FORM_FIELDS[id] ?? []).map((field) => `-F '${field}'`),
    ...(declaration.bodyMediaType === undefined
      ? []
      : [`-H 'Content-Type: ${declaration.bodyMediaType}' --data-binary @FILE`]),
    `'${base}${filled}${search === "" ? "" : `?${search}`}'`,
  ].join(" ");
}
