import { type CallOptions, ApiError, createClient } from "@weft/shared/routes/client.ts";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { switchAccount } from "../api/account.ts";
import { basePath } from "../api/base-path.ts";
import { Button } from "../ui/button.tsx";
import { Input } from "../ui/field.tsx";
import { PlainForm } from "../ui/form.tsx";

let isShown = false;

/** Not the monitored client of other pages, because this page reports a wrong token itself. */
const client = createClient(basePath);

/** Exchanges the one-time code of a sign-in link (`#login=…`) for a cookie and removes it from the URL. */
export async function exchangeCode(): Promise<void> {
  const code = location.hash.slice("#login=".length);
  history.replaceState(history.state, "", location.pathname + location.search);
  try {
    const { principal } = await client("GET /api/session", {});
    if (principal === null && code !== "") await signIn({ code });
  } catch (error) {
    // The pages themselves report an unreachable server.
    if (error instanceof ApiError) showSignIn(() => location.reload(), error.message);
  }
}

/** Signs in with a code or a token. True if this is another account than the one that the browser showed. */
async function signIn(proof: CallOptions<"POST /api/session">["body"]): Promise<boolean> {
  await client("POST /api/session", { body: proof });
  return switchAccount((await client("GET /api/session", {})).principal);
}

/**
 * Shows the sign-in page above everything. If the account that was here signs in again, the page behind stays, with all
 * that is typed there, and `onReturn` is called. `reason`: why an earlier sign-in failed.
 */
export function showSignIn(onReturn: () => void, reason?: string): void {
  if (isShown) return;
  isShown = true;
  const behind = [...document.body.querySelectorAll<HTMLElement>(":scope > :not([inert])")];
  for (const part of behind) part.inert = true;
  const host = document.createElement("div");
  document.body.append(host);
  const root = createRoot(host);
  const leave = (isOther: boolean): void => {
    if (isOther) return location.reload();
    root.unmount();
    host.remove();
    for (const part of behind) part.inert = false;
    isShown = false;
    onReturn();
  };
  root.render(<SignInPage reason={reason} onDone={leave} />);
}

interface SignInPageProps {
  readonly reason: string | undefined;
  readonly onDone: (isOther: boolean) => void;
}

/** Asks for a token. */
function SignInPage({ reason, onDone }: SignInPageProps) {
  const [fault, setFault] = useState(reason);
  const [isBusy, setBusy] = useState(false);
  const submit = (form: FormData): void => {
    setBusy(true);
    signIn({ token: String(form.get("token") ?? "").trim() })
      .then(onDone, (error: unknown) => setFault(error instanceof ApiError ? error.message : "Can't reach the server"))
      .finally(() => setBusy(false));
  };
  return (
    <div
      role="dialog"
      aria-modal="true"
      aria-labelledby="sign-in"
      className="fixed inset-0 z-80 overflow-auto bg-canvas p-4"
    >
      <PlainForm onSubmit={submit} className="mx-auto mt-[12vh] grid max-w-120 gap-4">
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
      </PlainForm>
    </div>
  );
}
