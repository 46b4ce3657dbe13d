import { basePath } from "./base-path.ts";

/** Holds the name of the account that this browser shows; absent without a login. Servers may share an origin. */
const KEY = `weft-account:${basePath}`;

/** The key of a text that belongs to the current account: the next person at this browser must not find it. */
export function ofAccount(key: string, storage: Pick<Storage, "getItem"> = localStorage): string {
  const account = storage.getItem(KEY);
  return account === null ? key : `${account}/${key}`;
}

/** Sets the account that this browser shows. True if it was another one: then this window must be loaded again. */
export function switchAccount(account: string | null): boolean {
  if (account === localStorage.getItem(KEY)) return false;
  if (account === null) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, account);
  return true;
}

/** Loads this window again when another one switches the account: they share a cookie. */
export function followAccount(): void {
  globalThis.addEventListener("storage", ({ key }) => {
    if (key === KEY) location.reload();
  });
}
