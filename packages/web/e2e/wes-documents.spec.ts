import { expect, type Page } from "@playwright/test";
import { lacks } from "../../tooling/lacks.ts";
import { createToken, newFolder } from "./own-server.ts";
import { ownServerTest as test } from "./weft-test.ts";

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
label: Say hello
baseCommand: [echo, hello]
inputs: { name: { type: string, default: Ann, inputBinding: { position: 1 } } }
stdout: hello.txt
outputs: { hello: stdout }
`;

function send(page: Page, url: string, key: string) {
  return page.request.post(`${url}/ga4gh/wes/v1/runs`, {
    headers: { authorization: `Bearer ${key}` },
    multipart: {
      ...{ workflow_type: "CWL", workflow_type_version: "v1.2", workflow_url: "hello.cwl", workflow_params: "{}" },
      workflow_attachment: { name: "hello.cwl", mimeType: "text/plain", buffer: Buffer.from(TOOL) },
    },
  });
}

const missing = lacks("bwrap");
test.skip(missing !== false, String(missing));

test("an admin reads a document that an author sent, and approves it for runners", async ({ page, ownServer }) => {
  const state = await newFolder();
  const more = ["--sandbox", "required", "--wes-documents", "author"];
  const server = await ownServer({ state, auth: "token", more });
  const { url } = server;
  const [author, runner] = [createToken(state, "arne", "author"), createToken(state, "rob", "runner")];
  const sent = await send(page, url, author);
  expect(sent.status()).toBe(200);
  const { run_id: runId } = (await sent.json()) as { run_id: string }; // the tests of the API prove the shape
  expect((await send(page, url, runner)).status()).toBe(403);

  await page.goto(server.signIn ?? "");
  await expect(page.getByRole("link", { name: "Networks" }).first()).toBeVisible();
  await page.goto(`${url}/server?tab=documents`);
  const row = page.getByRole("row", { name: /Say hello/ });
  await expect(row).toContainText("by arne");
  await expect(row).toContainText("not approved");
  await row.getByRole("link", { name: "Say hello" }).click();
  await expect(page.getByRole("region", { name: "Text of hello.cwl" })).toContainText("baseCommand: [echo, hello]");
  await page.getByRole("button", { name: "Approve for runners" }).click();
  await expect(page.getByRole("button", { name: "Withdraw approval" })).toBeVisible();
  await expect(page.getByText(/^by local, /)).toBeVisible();
  expect((await send(page, url, runner)).status()).toBe(200);

  // The page of the run links to the document; the catalog has no form for it.
  await page.goto(`${url}/run/${runId}`);
  await expect(page.locator("a[href*='tab=documents']", { hasText: "Say hello" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Run again" })).toHaveCount(0);
  await page.getByRole("tab", { name: "Inputs" }).click();
  await expect(page.getByRole("row", { name: /name.*Ann.*default/ })).toBeVisible();
});
