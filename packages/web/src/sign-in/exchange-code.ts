import { ApiError, createClient } from "@weft/shared/routes/client.ts";
import { basePath } from "../api/base-path.ts";
import { showSignIn } from "./show-sign-in.tsx";

/** A client that does not open the sign-in page on 401: here the page opens with the server's message. */
const client = createClient(basePath);

/** Exchanges the one-time code of a sign-in link (`#login=…`) for a cookie and removes it from the URL. */
export async function exchangeCode(): Promise<void> {
  const code = location.hash.slice("#login=".length);
  history.replaceState(history.state, "", location.pathname + location.search);
  try {
    const { principal } = await client("GET /api/session", {});
    if (principal === null && code !== "") await client("POST /api/session", { body: { code } });
  } catch (error) {
    // The pages themselves report an unreachable server.
    if (error instanceof ApiError) showSignIn(error.message);
  }
}
