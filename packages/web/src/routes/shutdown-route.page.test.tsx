import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../testing/render-part.tsx";
import ShutdownRoute from "./shutdown-route.tsx";

test("the page follows the server until it has stopped, and when it has started again", async () => {
  let isUp = true;
  await renderPart(<ShutdownRoute />, {
    answers: {
      "GET /api/session": () => new Response(null, { status: 404 }),
      "GET /api/runs": () => ({ runs: [], next_page_token: "", total: 0 }),
      "POST /shutdown": () => ({}) as never,
      "GET /healthz": () => new Response(null, { status: isUp ? 200 : 503 }),
    },
  });
  await page.getByRole("textbox", { name: /^Type/ }).fill("shutdown");
  await page.getByRole("button", { name: "Shut down server" }).click();
  await expect.element(page.getByRole("heading", { name: "Draining…" })).toBeVisible();
  isUp = false;
  await expect.element(page.getByRole("heading", { name: "The server has stopped." })).toBeVisible();
  isUp = true;
  await expect.element(page.getByRole("heading", { name: "The server has started again." })).toBeVisible();
});
