import type { ReactNode } from "react";
import styles from "./page.module.css";

interface PageProps {
  readonly title: string;
  /** Beside the title: what can be done with the whole page. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page with its title, which is the window's too. */
export function Page({ title, actions, children }: PageProps) {
  return (
    <section className={styles["page"]}>
      <title>{title}</title>
      <header className={styles["header"]}>
        <h1>{title}</h1>
        {actions !== undefined && <div className={styles["actions"]}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}

/** A surface on the page that holds one subject. */
export function Card({
  title,
  children,
}: {
  readonly title?: string;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles["card"]}>
      {title !== undefined && <h2>{title}</h2>}
      {children}
    </section>
  );
}

/** Names and values, such as the facts of an order. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles["facts"]}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
