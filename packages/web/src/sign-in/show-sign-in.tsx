import { ApiError, createClient } from "@weft/shared/routes/client.ts";
import { type FormEvent, useState } from "react";
import { createRoot } from "react-dom/client";
import { basePath } from "../api/base-path.ts";
import { Button } from "../ui/button.tsx";
import { Input } from "../ui/field.tsx";

let isShown = false;

/** Not the monitored client of other pages, because this page reports a wrong token itself. */
const client = createClient(basePath);

/** Shows the sign-in page above everything; signing in reloads the page. `reason`: why an earlier sign-in failed. */
export function showSignIn(reason?: string): void {
  if (isShown) return;
  isShown = true;
  document.querySelector("#root")?.setAttribute("inert", "");
  const host = document.createElement("div");
  document.body.append(host);
  createRoot(host).render(<SignInPage reason={reason} onDone={() => location.reload()} />);
}

interface SignInPageProps {
  readonly reason: string | undefined;
  readonly onDone: () => void;
}

/** Asks for a token. */
function SignInPage({ reason, onDone }: SignInPageProps) {
  const [fault, setFault] = useState(reason);
  const [isBusy, setBusy] = useState(false);
  const signIn = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const failure = await trySignIn(String(new FormData(event.currentTarget).get("token") ?? "").trim());
    setBusy(false);
    if (failure === undefined) onDone();
    else setFault(failure);
  };
  return (
    <div
      role="dialog"
      aria-modal="true"
      aria-labelledby="sign-in"
      className="fixed inset-0 z-80 overflow-auto bg-canvas p-4"
    >
      <form onSubmit={(event) => void signIn(event)} className="mx-auto mt-[12vh] grid max-w-120 gap-4">
        <h1 id="sign-in">Sign in</h1>
        <p>
          Paste your access token. Administrators create tokens with <code>weft token create</code>; the server's own
          token is in the file <code>access-token</code> in its state folder. You can also open the sign-in link that
          the server prints at startup: it works once, for one hour.
        </p>
        <label className="grid gap-1">
          Token
          <Input name="token" type="password" autoComplete="current-password" required autoFocus />
        </label>
        <p role="alert" className="text-failed">
          {fault}
        </p>
        <Button look="primary" className="justify-self-start" type="submit" disabled={isBusy}>
          Sign in
        </Button>
      </form>
    </div>
  );
}

/** Undefined if it worked, otherwise the message to show. */
async function trySignIn(token: string): Promise<string | undefined> {
  try {
    await client("POST /api/session", { body: { token } });
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? error.message : "Can't reach the server";
  }
}
