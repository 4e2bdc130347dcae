import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { Button } from "../../ui/button.tsx";
import { useKeys } from "../../ui/keys/use-keys.ts";
import { useTheme, type Theme } from "../../ui/theme.ts";
import { Everywhere } from "../keys/everywhere.tsx";
import { useConnection } from "../live/live.tsx";
import { useSearchKey } from "../orders/search/use-search-key.ts";
import { useScreens } from "../use-screens.ts";
import { useOperator, useSignOut } from "../session/session.ts";
import styles from "./shell.module.css";

/** The frame of every screen: navigation, who is signed in, whether what is shown is live. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [, navigate] = useLocation();
  const connection = useConnection();
  const screens = useScreens();
  useSearchKey();
  useKeys(
    Object.fromEntries(
      screens.flatMap(({ path, goKey }) =>
        goKey === undefined ? [] : [[`g ${goKey}`, () => navigate(path)]],
      ),
    ),
  );
  return (
    <div className={styles["shell"]}>
      <a className={styles["skip"]} href="#content">
        Skip to the content
      </a>
      <Navigation />
      <main id="content" tabIndex={-1} className={styles["content"]}>
        {connection === "polling" && (
          <p role="status" className={styles["banner"]}>
            The live connection is lost. What you see is fetched every 15 seconds.
          </p>
        )}
        {children}
      </main>
      <Everywhere />
    </div>
  );
}

function Navigation() {
  const screens = useScreens();
  const [location] = useLocation();
  const { name, role } = useOperator();
  const signOut = useSignOut();
  return (
    <nav className={styles["navigation"]} aria-label="Desk">
      <p className={styles["product"]}>Porting desk</p>
      <ul className={styles["links"]}>
        {screens
          .filter(({ nav }) => nav !== undefined)
          .map(({ path, nav }) => {
            const isHere = location === path || location.startsWith(`${path}/`);
            return (
              <li key={path}>
                <Link href={path} aria-current={isHere ? "page" : undefined}>
                  {nav}
                </Link>
              </li>
            );
          })}
      </ul>
      <div className={styles["person"]}>
        <p>
          <strong>{name}</strong>
          <span>{role}</span>
        </p>
        <ThemeChoice />
        <Button kind="quiet" onClick={() => signOut.mutate()} isBusy={signOut.isPending}>
          Sign out
        </Button>
      </div>
    </nav>
  );
}

function ThemeChoice() {
  const [theme, choose] = useTheme();
  return (
    <select
      aria-label="Theme"
      className={styles["theme"]}
      value={theme}
      onChange={(event) => choose(event.target.value as Theme)}
    >
      <option value="system">System theme</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}
