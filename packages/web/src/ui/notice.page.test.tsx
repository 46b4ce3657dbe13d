import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { textsOf } from "../testing/render-part.tsx";
import { Notice } from "./notice.tsx";
import { TitledSection } from "./titled-section.tsx";
import { Toolbar } from "./toolbar.tsx";

test("a notice is announced by its role, with its heading and actions", async () => {
  await render(
    <Notice role="alert" tone="failed" title="Not started" actions={<button>Try again</button>}>
      The server is full.
    </Notice>,
  );
  const notice = page.getByRole("alert");
  await expect.element(notice.getByRole("heading", { name: "Not started" })).toBeVisible();
  await expect.element(notice).toMatchTextContent(/The server is full\./);
  await expect.element(notice.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("a notice without a heading is one text", async () => {
  await render(<Notice role="note">Nothing.</Notice>);
  await expect.element(page.getByRole("note")).toHaveTextContent("Nothing.");
  await expect.element(page.getByRole("heading")).not.toBeInTheDocument();
});

test("a section has the name of its heading", async () => {
  await render(
    <TitledSection title="Recent runs" aside={<a href="/runs">All runs</a>}>
      None
    </TitledSection>,
  );
  const section = page.getByRole("region", { name: "Recent runs" });
  await expect.element(section.getByRole("link", { name: "All runs" })).toBeVisible();
});

test("a toolbar announces how much is shown, and has its actions last", async () => {
  const bar = (status: string) => (
    <Toolbar status={status} actions={<button>Download</button>}>
      <button>Filter</button>
    </Toolbar>
  );
  const screen = await render(bar("6 samples"));
  await screen.rerender(bar("2 of 6 samples"));
  await expect.element(page.getByRole("status")).toHaveTextContent("2 of 6 samples");
  expect(textsOf(page.getByRole("button"))).toEqual(["Filter", "Download"]);
});
