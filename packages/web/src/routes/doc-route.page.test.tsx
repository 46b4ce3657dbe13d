import { Route, Routes } from "react-router-dom";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { renderPart } from "../testing/render-part.tsx";
import DocRoute from "./doc-route.tsx";

function showDocs(at: string) {
  return renderPart(
    <Routes>
      <Route path="/doc/*" element={<DocRoute />} />
    </Routes>,
    { at },
  );
}

test("an address of the first guide leads to its section, and an unknown one says so", async () => {
  const { address, unmount } = await showDocs("/doc?topic=states-and-reasons#TIME_LIMIT");
  await expect.element(page.getByRole("heading", { name: "TIME_LIMIT" })).toBeInViewport();
  expect(address()).toBe("/doc/reference/states#time_limit");
  await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name: "OUT_OF_MEMORY" }).click();
  await expect.element(page.getByRole("heading", { name: "OUT_OF_MEMORY" })).toBeInViewport();
  await unmount();
  await showDocs("/doc/nothing/here");
  await expect.element(page.getByRole("heading", { level: 1, name: "No such page" })).toBeVisible();
});

test("a reader finds a page by the contents, follows links and opens the next page", async () => {
  const { address } = await showDocs("/doc");
  const contents = page.getByRole("navigation", { name: "Contents" }).first();
  const chosen = contents.getByRole("link", { name: "Your own network in 15 minutes" });
  await chosen.click();
  await expect.poll(address).toBe("/doc/tutorials/your-own-network");
  await expect.element(page.getByRole("heading", { level: 1, name: "Your own network in 15 minutes" })).toHaveFocus();
  await expect.element(chosen).toHaveAttribute("aria-current", "page");
  await expect.element(page.getByRole("group", { name: "study.yml" })).toMatchTextContent(/my-data\/sub-01\.csv/);
  await page.getByRole("link", { name: "Cache", exact: true }).last().click();
  await expect.poll(address).toBe("/doc/explanation/cache");
  await chosen.click();
  const nextAndPrevious = page.getByRole("navigation", { name: "Next and previous page" });
  await nextAndPrevious.getByRole("link", { name: /→$/ }).click();
  await expect.element(page.getByRole("heading", { level: 1, name: "Install Weft" })).toBeVisible();
});

test("the search finds sections with only the keyboard", async () => {
  const { address, unmount } = await showDocs("/doc");
  await expect.element(page.getByRole("navigation", { name: "Contents" }).first()).toBeVisible();
  page.getByRole("searchbox", { name: "Search the docs" }).element().focus();
  await userEvent.keyboard("revoke tokn");
  await expect.element(page.getByRole("status")).toMatchTextContent(/results? for "revoke tokn"/);
  const hit = page.getByRole("link", { name: "Create a token for each person" });
  await expect.element(hit).toBeVisible();
  hit.element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.poll(address).toBe("/doc/how-to/give-access#create-a-token-for-each-person");
  await expect.element(page.getByRole("heading", { name: "Create a token for each person" })).toBeInViewport();
  await unmount();
  await showDocs("/doc?q=xyzzyx");
  await expect.element(page.getByRole("status")).toMatchTextContent(/No results for "xyzzyx"/);
});

test("on a phone the contents are folded, and images load", async () => {
  await page.viewport(390, 844);
  await showDocs("/doc/explanation/performance");
  const plot = page.getByRole("img", { name: /Wall time per job/ });
  await expect.element(plot).toBeInTheDocument();
  expect(page.getByRole("navigation", { name: "Contents" }).elements()).toEqual([]);
  plot.element().scrollIntoView();
  await expect.poll(() => (plot.element() as HTMLImageElement).naturalWidth).toBeGreaterThan(100);
  await page.getByText("Contents", { exact: true }).click();
  await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Glossary" }).click();
  await expect.element(page.getByRole("heading", { level: 1, name: "Glossary" })).toBeVisible();
  await page.viewport(1280, 860);
});
