import assert from "node:assert/strict";
import { test } from "node:test";
import type { RouteDeclaration } from "@weft/shared/routes/route.ts";
import { routes, type RouteId } from "@weft/shared/routes/routes.ts";
import { startTestServer } from "../../../test/test-server.ts";
import { createOpenApiDocument } from "./create-openapi-document.ts";
import { isRevalidated, statusAt, possibleProblems } from "./describe-responses.ts";
import { REQUEST_EXAMPLES } from "./request-examples.ts";
import { exampleRequest } from "./request-line.ts";

type Json = { readonly [key: string]: Json };

// A document contains only JSON; its own type is too wide to walk.
const document = JSON.parse(JSON.stringify(createOpenApiDocument("http://127.0.0.1:8080/weft", "0.1.0"))) as Json;
const table = Object.entries<RouteDeclaration>(routes);

test("the document names version, server and every tag", () => {
  assert.equal(document["openapi"], "3.1.0");
  assert.deepEqual(document["servers"], [{ url: "http://127.0.0.1:8080/weft" }]);
  const tags = Object.values(document["tags"] ?? {}).map(({ name }) => String(name));
  assert.deepEqual(new Set(tags), new Set(table.map(([, { tag }]) => tag)));
});

test("the document has every route with its parameters and every possible answer", async (t) => {
  for (const [key, declaration] of table) {
    await t.test(key, () => {
      const [method = "", path = ""] = key.split(" ");
      const operation = document["paths"]?.[path]?.[method.toLowerCase()];
      assert.equal(operation?.["operationId"], declaration.operationId);
      assert.deepEqual(parameterNames(operation), declaredNames(declaration));
      const problems = possibleProblems(method, declaration).map((code) => statusAt(path, code));
      const answers = Object.entries(declaration.answers).filter(([, answer]) => answer.isDeprecated !== true);
      const statuses = new Set([
        ...answers.map(([status]) => status),
        ...problems.map(String),
        ...(isRevalidated(method, declaration) ? ["304"] : []),
      ]);
      assert.deepEqual(new Set(Object.keys(operation?.["responses"] ?? {})), statuses);
      const hasBody = declaration.body !== undefined || declaration.bodyMediaType !== undefined;
      assert.equal("requestBody" in (operation ?? {}), hasBody);
    });
  }
});

function parameterNames(operation: Json | undefined): string[] {
  return Object.values(operation?.["parameters"] ?? {})
    .map((parameter) => `${String(parameter["in"])} ${String(parameter["name"])}`)
    .toSorted();
}

function declaredNames({ params, query, headers }: RouteDeclaration): string[] {
  const names = (place: string, shape: object | undefined) =>
    Object.keys(shape ?? {}).map((name) => `${place} ${name}`);
  return [
    ...names("path", params?.shape),
    ...names("query", query?.shape),
    ...names("header", headers?.shape),
  ].toSorted();
}

test("operation ids are unique and every path parameter is described", () => {
  const ids = table.map(([, { operationId }]) => operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const [key, { params }] of table) {
    const found = [...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.deepEqual(found, Object.keys(params?.shape ?? {}), key);
  }
});

test("every reference leads to a component, and every component is used", () => {
  const text = JSON.stringify(document);
  const referred = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => String(name));
  assert.equal(referred.length, text.split('"$ref"').length - 1);
  assert.deepEqual(new Set(referred), new Set(Object.keys(document["components"]?.["schemas"] ?? {})));
});

test("examples of bodies pass the schema of their route", () => {
  const examples = Object.entries(REQUEST_EXAMPLES).flatMap(([key, named]) =>
    Object.values(named).map(({ value }) => ({ key, value })),
  );
  const declarations = new Map<string, RouteDeclaration>(table);
  for (const { key, value } of examples) assert.ok(declarations.get(key)?.body?.safeParse(value).success, key);
  const withBody = table.filter(([, { body }]) => body !== undefined).map(([key]) => key);
  assert.deepEqual(Object.keys(REQUEST_EXAMPLES).toSorted(), withBody.toSorted());
});

test("every operation has an example that its declaration accepts", () => {
  for (const [key, declaration] of table) {
    const { params, query, body } = exampleRequest(key as RouteId, declaration); // keys of the table
    for (const [schema, value] of [
      [declaration.params, params],
      [declaration.query, query],
      [declaration.body, body],
    ] as const)
      assert.ok(schema === undefined || schema.safeParse(value).success, `${key}: ${JSON.stringify(value)}`);
    const [method = "", path = ""] = key.split(" ");
    const source = String(document["paths"]?.[path]?.[method.toLowerCase()]?.["x-codeSamples"]?.["0"]?.["source"]);
    assert.match(source, /^curl -s .*'http:\/\/127\.0\.0\.1:8080\/weft\/[^{}]+'$/, key);
  }
});

test("every field and every parameter has a description", () => {
  const fieldsOf = (value: unknown, place: string): string[] => {
    if (typeof value !== "object" || value === null) return [];
    return Object.entries(value).flatMap(([key, child]) => {
      const own = key === "properties" ? undescribed(child as Json, place) : []; // JSON, as above
      return [...own, ...fieldsOf(child, key === "properties" || key === "items" ? place : `${place}.${key}`)];
    });
  };
  const undescribed = (properties: Json, place: string): string[] =>
    Object.entries(properties)
      .filter(([, property]) => !("description" in property) && !("$ref" in property))
      .map(([name]) => `${place} ${name}`);
  assert.deepEqual(fieldsOf(document["components"]?.["schemas"], ""), []);
  const parameters = Object.values(document["paths"] ?? {}).flatMap((operations) =>
    Object.values(operations).flatMap((operation) => Object.values(operation["parameters"] ?? {})),
  );
  for (const parameter of parameters)
    assert.ok("description" in { ...parameter["schema"], ...parameter }, String(parameter["name"]));
});

test("/swagger.json is the document for the address that was used", async (t) => {
  const server = await startTestServer(t);
  const answer = await server.call("GET /swagger.json");
  assert.equal(JSON.parse(answer.text).servers[0].url, server.address);
  const again = await server.call("GET /swagger.json", {
    headers: { "if-none-match": answer.headers.get("etag") ?? "" },
  });
  assert.deepEqual([again.status, again.text], [304, ""]);
});

test("each GA4GH service has a document of its own, with all of its operations at the paths of its standard", async (t) => {
  const server = await startTestServer(t);
  for (const [tag, root] of [
    ["wes", "/ga4gh/wes/v1"],
    ["trs", "/ga4gh/trs/v2"],
  ]) {
    const { text } = await server.call(`GET ${root}/openapi.json`);
    // A document contains only JSON; its own type is too wide to walk.
    const service = JSON.parse(text) as Json;
    assert.deepEqual(service["servers"], [{ url: server.address + root }]);
    const keys = Object.entries(service["paths"] ?? {}).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${root}${path}`),
    );
    const declared = table.filter(([, declaration]) => declaration.tag === tag).map(([key]) => key);
    assert.deepEqual(keys.toSorted(), declared.toSorted());
    assert.ok(keys.includes(`GET ${root}/service-info`));
    const referred = new Set([...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
    assert.deepEqual(referred, new Set(Object.keys(service["components"]?.["schemas"] ?? {})));
  }
});
