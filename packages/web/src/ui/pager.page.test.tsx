import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../testing/render-part.tsx";
import { NoMatch } from "./empty-state.tsx";
import { Pager } from "./pager.tsx";

test("a list on one page has a count and no buttons", async () => {
  await renderPart(<Pager nextPageToken="" shown={3} total={3} noun="run" />);
  await expect.element(page.getByText("3 runs")).toBeVisible();
  await expect.element(page.getByRole("button")).not.toBeInTheDocument();
});

test("a pager moves to the next page and back to the first, in the address", async () => {
  const { address } = await renderPart(<Pager nextPageToken="p2" shown={50} total={120} noun="run" />, {
    at: "/runs?q=night",
  });
  await expect.element(page.getByText("50 of 120 runs")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "First page" })).toBeDisabled();
  await page.getByRole("button", { name: "Next page" }).click();
  expect(address()).toBe("/runs?q=night&page=p2");
  await page.getByRole("button", { name: "First page" }).click();
  expect(address()).toBe("/runs?q=night");
});

test("a list of unknown length says that its number is that of the page", async () => {
  await renderPart(<Pager nextPageToken="p2" shown={50} total={null} noun="file" />);
  await expect.element(page.getByText("50 files on this page")).toBeVisible();
});

test("an empty list after filtering clears only its filters and the page", async () => {
  const { address } = await renderPart(<NoMatch text="No runs match." filters={["q", "state"]} />, {
    at: "/runs?q=night&state=failed&page=p2&tab=list",
  });
  await page.getByRole("button", { name: "Clear the filters" }).click();
  expect(address()).toBe("/runs?tab=list");
});
