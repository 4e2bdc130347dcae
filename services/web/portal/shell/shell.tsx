import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { Button } from "../../ui/button.tsx";
import { OfflineNote } from "./offline-note.tsx";
import { useOpenSession, useSignOut } from "../session/session.ts";
import styles from "./shell.module.css";

const PAGES = [
  ["/orders", "Orders"],
  ["/deliveries", "Deliveries"],
  ["/endpoints", "Endpoints"],
] as const;

/** The frame of the account's pages. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [location] = useLocation();
  const { account_name: name } = useOpenSession();
  const signOut = useSignOut();
  return (
    <>
      <a className={styles["skip"]} href="#content">
        Skip to the content
      </a>
      <header className={styles["bar"]}>
        <p className={styles["product"]}>
          Number porting <span>{name}</span>
        </p>
        <nav aria-label="Portal">
          <ul className={styles["links"]}>
            {PAGES.map(([path, title]) => {
              const isHere = location === path || location.startsWith(`${path}/`);
              return (
                <li key={path}>
                  <Link href={path} aria-current={isHere ? "page" : undefined}>
                    {title}
                  </Link>
                </li>
              );
            })}
          </ul>
        </nav>
        <Button kind="quiet" onClick={() => signOut.mutate()} isBusy={signOut.isPending}>
          Sign out
        </Button>
      </header>
      <main id="content" tabIndex={-1} className={styles["content"]}>
        <OfflineNote />
        {children}
      </main>
    </>
  );
}
