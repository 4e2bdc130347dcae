import { useEffect, useRef, type ReactNode } from "react";
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
