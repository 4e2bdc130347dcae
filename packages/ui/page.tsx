import { createContext, useContext, useEffect, useRef, type ReactNode } from "react";
import { Link, useLocation } from "wouter";
import styles from "./page.module.css";

interface PageProps {
  readonly title: string;
  /** Beside the title: what can be done with the whole page. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** What the window's title begins with, whichever page is shown. */
export const TitlePrefix = createContext("");

export function WindowTitle({ children }: { readonly children: string }) {
  return <title>{useContext(TitlePrefix) + children}</title>;
}

/** A page with its title, which is the window's too. */
export function Page({ title, actions, children }: PageProps) {
  return (
    <section className={styles["page"]}>
      <WindowTitle>{title}</WindowTitle>
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

export type Fact = readonly [name: string, value: ReactNode];

/** Names and values, such as the facts of an order. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
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

/** A decoded value, indented. */
export function JsonView({ label, value }: { label: string; value: unknown }) {
  return <TextView label={label} text={JSON.stringify(value, null, 2)} />;
}

interface TextViewProps {
  readonly label: string;
  readonly text: string;
  /** Its lines are never broken, because their columns belong together. */
  readonly isInColumns?: boolean;
}

/** Text with its own lines. */
export function TextView({ label, text, isInColumns = false }: TextViewProps) {
  const className = isInColumns ? `${styles["json"]} ${styles["columns"]}` : styles["json"];
  return (
    <pre className={className} role="region" aria-label={label} tabIndex={0}>
      {text}
    </pre>
  );
}

/** The first stop of the Tab key: past the navigation, to `#content`. */
export function SkipLink() {
  return (
    <a className={styles["skip"]} href="#content">
      Skip to the content
    </a>
  );
}

interface PageLinksProps {
  /** Where each leads, and its name. */
  readonly pages: readonly (readonly [path: string, name: ReactNode])[];
  /** How the list is laid out. */
  readonly className: string | undefined;
  /** The pointer or the focus has come to a page's link, which may be followed next. */
  readonly onApproach?: (path: string) => void;
}

/** Links to an application's pages, of which the open one is marked. */
export function PageLinks({ pages, className, onApproach }: PageLinksProps) {
  const [location] = useLocation();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (list.current !== null) showMarked(list.current);
  }, [location]);
  return (
    <ul ref={list} className={`${styles["links"]} ${className}`}>
      {pages.map(([path, name]) => {
        const isHere = location === path || location.startsWith(`${path}/`);
        return (
          <li key={path}>
            <Link
              href={path}
              aria-current={isHere ? "page" : undefined}
              onPointerEnter={() => onApproach?.(path)}
              onFocus={() => onApproach?.(path)}
            >
              {name}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** Moves a list that stands in one line to its marked link, and nothing else of the page. */
function showMarked(list: HTMLElement): void {
  const marked = list.querySelector("[aria-current]")?.getBoundingClientRect();
  if (marked === undefined) return;
  const frame = list.getBoundingClientRect();
  if (marked.left >= frame.left && marked.right <= frame.right) return;
  list.scrollLeft += marked.left - frame.left - (frame.width - marked.width) / 2;
}

/** What concerns everything on the page. */
export function Banner({ children }: { readonly children: ReactNode }) {
  return <p className={styles["banner"]}>{children}</p>;
}
