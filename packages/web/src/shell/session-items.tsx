import { Menu } from "@base-ui/react/menu";
import { signOut, useRights } from "../api/session-query.ts";
import { showError } from "../ui/toast.tsx";

/** The signed-in user and a sign-out button; renders nothing without sign-in. */
export function SessionItems() {
  const { session } = useRights();
  if (session === undefined || session.auth === "none" || session.principal === null) return null;
  const leave = (): void => {
    signOut().then(
      () => location.reload(),
      (error: unknown) => showError(`Sign-out failed: ${String(error)}`),
    );
  };
  return (
    <>
      <p className="px-2.5 pt-1 text-[0.8125rem] text-soft">
        Signed in as <b className="wrap-anywhere">{session.principal}</b> ({session.role})
      </p>
      <Menu.Item className="popup-item w-full max-md:min-h-11" onClick={leave}>
        Sign out
      </Menu.Item>
      <Menu.Separator className="my-1 h-px bg-line" />
    </>
  );
}
