import type { CommitResult } from "@weft/shared/records/commit-record.ts";
import type { PublishedVersion } from "@weft/shared/records/draft-record.ts";
import { Link } from "react-router-dom";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { renderPart } from "../testing/render-part.tsx";
import { CommitOffer } from "./commit-offer.tsx";

const VERSION: PublishedVersion = {
  ...{ kind: "tool", id: "sort", version: "1.0.0", url: "", not_passed: [] },
  can_commit: true,
};

function Published({ version }: { readonly version: PublishedVersion }) {
  return (
    <>
      <Link to="/tool/sort?tab=io" state={{ published: [version] }}>
        Publish
      </Link>
      <CommitOffer />
    </>
  );
}

test("a published version can be committed, and a failure of git shows its output", async () => {
  const outcomes: CommitResult[] = [{ state: "failed", commit: null, paths: [], output: "Please tell me who you are" }];
  const asked: unknown[] = [];
  const { address } = await renderPart(<Published version={VERSION} />, {
    answers: {
      "POST /api/commits": ({ body }) => {
        asked.push(body);
        return outcomes.shift() ?? Response.error();
      },
    },
  });
  await page.getByRole("link", { name: "Publish" }).click();
  const dialog = page.getByRole("dialog", { name: "Commit to git?" });
  await expect.element(dialog.getByText(/^Published sort 1\.0\.0\./)).toBeVisible();
  await dialog.getByRole("button", { name: "Commit" }).click();
  await expect.element(dialog.getByText("Please tell me who you are")).toBeVisible();
  expect(asked).toEqual([{ versions: [{ kind: "tool", id: "sort", version: "1.0.0" }] }]);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(address()).toBe("/tool/sort?tab=io");
});

test("nothing is offered where the server permits no commit", async () => {
  await renderPart(<Published version={{ ...VERSION, can_commit: false }} />);
  await page.getByRole("link", { name: "Publish" }).click();
  expect(page.getByRole("dialog").elements()).toEqual([]);
});
