import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { type Answers, refusal, renderPart, SESSION } from "../../testing/render-part.tsx";
import SubscribeDialog from "./subscribe-dialog.tsx";

const NETWORKS: Answers = {
  "GET /api/session": () => SESSION,
  "GET /api/networks": () => ({ networks: [], total: 0, next_page_token: "" }),
};

test("a refused subscription keeps the form and says why", async () => {
  await renderPart(<SubscribeDialog channels={["webhook"]} onClose={() => {}} />, {
    answers: { ...NETWORKS, "POST /api/subscriptions": () => refusal({ detail: "10.0.0.1 is not among the hosts" }) },
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
