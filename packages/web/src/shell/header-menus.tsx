import { MoreMenu } from "./more-menu.tsx";
import { ThemeMenu } from "./theme-menu.tsx";

/** Both menus of the header. They are read after the first paint: nobody opens a menu before there is a page. */
export default function HeaderMenus() {
  return (
    <>
      <ThemeMenu />
      <MoreMenu />
    </>
  );
}
