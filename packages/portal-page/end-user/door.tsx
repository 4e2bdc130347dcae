import type { ReactNode } from "react";
import styles from "./door.module.css";
import { InLanguage, LanguageChoice } from "../languages/in-language.tsx";

/** The page before the portal, in the person's language. */
export function Door({ children }: { readonly children: ReactNode }) {
  return (
    <InLanguage>
      <main className={styles["page"]}>
        <div className={styles["card"]}>
          <LanguageChoice />
          {children}
        </div>
      </main>
    </InLanguage>
  );
}
