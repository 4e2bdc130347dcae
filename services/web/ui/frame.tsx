import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import styles from "./frame.module.css";

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
  readonly pages: readonly (readonly [path: string, name: string])[];
  /** How the list is laid out. */
  readonly className: string | undefined;
  /** The pointer or the focus has come to a page's link, which may be followed next. */
  readonly onApproach?: (path: string) => void;
}

/** Links to an application's pages, of which the open one is marked. */
export function PageLinks({ pages, className, onApproach }: PageLinksProps) {
  const [location] = useLocation();
  return (
    <ul className={`${styles["links"]} ${className}`}>
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

/** What concerns everything on the page. */
export function Banner({ children }: { readonly children: ReactNode }) {
  return <p className={styles["banner"]}>{children}</p>;
}
