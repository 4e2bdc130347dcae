import { use, type ReactNode } from "react";
import styles from "./in-language.module.css";
import { isLanguage, LANGUAGES } from "./language.ts";
import { firstWords, speak, useWords } from "./words.ts";

interface InLanguageProps {
  /** Fetches the texts, once. */
  readonly words?: () => Promise<void>;
  readonly children: ReactNode;
}

/** Shows what stands below it once its texts have come: the page's language, unless given. */
export function InLanguage({ words = firstWords, children }: InLanguageProps) {
  use(words());
  return children;
}

/** Chooses the page's language. */
export function LanguageChoice() {
  const { t, language } = useWords();
  const onChoose = (chosen: string): void => {
    if (!isLanguage(chosen)) return;
    // The link's own wish would come back with the next reload.
    window.history.replaceState(null, "", window.location.pathname + window.location.hash);
    // Without a connection the page stays in its language.
    void speak(chosen).catch(() => undefined);
  };
  return (
    <label className={styles["choice"]}>
      <span className="visually-hidden">{t("ui.language")}</span>
      <select value={language} onChange={(event) => onChoose(event.target.value)}>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
