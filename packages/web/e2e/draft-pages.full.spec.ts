import { expect } from "@playwright/test";
import { expectWellMade, settled } from "./every-look.ts";
import { newStateFolder } from "./own-server.ts";
import { ownServerTest as test } from "./weft-test.ts";
import { writeWorkbenchCatalog } from "./workbench-catalog.ts";

const TABS = ["", "try", "files", "tests", "changes", "outline"] as const;

for (const { kind, id, based_on } of [
  { kind: "network", id: "greetings", based_on: "unversioned" },
  { kind: "tool", id: "greet", based_on: "1.0.0" },
])
  test(`every tab of the draft of a ${kind} fits and is accessible, on a desktop and on a phone`, async ({
    page,
    ownServer,
  }) => {
    const { url } = await ownServer({ catalog: await writeWorkbenchCatalog(await newStateFolder()) });
    const made = await page.request.post(`${url}/api/drafts`, { data: { kind, id, based_on } });
    const address = `${url}/drafts/${(await made.json()).draft_id}`;
    for (const tab of TABS) {
      await page.goto(tab === "" ? address : `${address}?tab=${tab}`);
      await expect(page.getByRole("textbox", { name: `Text of ${id}` })).toBeVisible();
      await settled(page);
      await expectWellMade(page);
    }
  });
