import { createClient } from "@weft/shared/routes/client.ts";
import { basePath } from "./base-path.ts";
import { watchingFetch } from "./unauthorized.ts";

/** The one client of the REST API, typed by the route table. */
export const api = createClient(basePath, watchingFetch);
