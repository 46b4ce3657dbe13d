import { followLogs, writeChatterCatalog } from "./followed-log.ts";
import { ownServerTest as test } from "./weft-test.ts";

// No page.route here: it turns off the browser's cache, which this test covers.
test("a followed log shows its last line when the job ends, in 20 runs of several lengths", async ({
  context,
  ownServer,
}) => {
  const server = await ownServer({ catalog: await writeChatterCatalog() });
  await followLogs(context, server.url, 4);
});
