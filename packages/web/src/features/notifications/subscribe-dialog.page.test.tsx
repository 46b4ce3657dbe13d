import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { type Answers, renderPart } from "../../testing/render-part.tsx";
import SubscribeDialog from "./subscribe-dialog.tsx";

const REFUSED = {
  ...{ type: "about:blank", title: "Invalid", status: 422, code: "invalid-body", instance: "" },
  ...{ detail: "10.0.0.1 is not among the hosts", errors: [] },
};

const NETWORKS: Answers = {
  "GET /api/session": () => Response.json({ role: "runner", principal: "ann", auth: "token", workbench: false }),
  "GET /api/networks": () => ({ networks: [], total: 0, next_page_token: "" }),
};

test("a refused subscription keeps the form and says why", async () => {
  await renderPart(<SubscribeDialog channels={["webhook"]} onClose={() => {}} />, {
    answers: { ...NETWORKS, "POST /api/subscriptions": () => Response.json(REFUSED, { status: 422 }) },
  });
  const dialog = page.getByRole("dialog", { name: "New subscription" });
  await dialog.getByRole("textbox", { name: "URL" }).fill("http://10.0.0.1/hook");
  await dialog.getByRole("textbox", { name: "Name" }).fill("Lab bot");
  await dialog.getByRole("button", { name: "Subscribe" }).click();
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("10.0.0.1 is not among the hosts");
  await dialog.getByRole("checkbox", { name: /fail/i }).click();
  await dialog.getByRole("button", { name: "Subscribe" }).click();
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("Choose at least one event.");
});
