import { ApiError, createClient } from "@weft/shared/routes/client.ts";
import { basePath } from "../api/base-path.ts";
import { showSignIn } from "./show-sign-in.tsx";

/** A client that does not open the sign-in page at a 401: here the page opens with what the server says to the code. */
const client = createClient(basePath);

/** Trades the one-time code of a sign-in link (`#login=…`) for a cookie and takes it out of the address. */
export async function exchangeCode(): Promise<void> {
  const code = location.hash.slice("#login=".length);
  history.replaceState(history.state, "", location.pathname + location.search);
  try {
    const { principal } = await client("GET /api/session", {});
    if (principal === null && code !== "") await client("POST /api/session", { body: { code } });
  } catch (error) {
    // A server that cannot be reached is told by the pages themselves.
    if (error instanceof ApiError) showSignIn(error.message);
  }
}
