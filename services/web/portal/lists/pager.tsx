import { useSearchParams } from "wouter";
import { Button } from "../../ui/button.tsx";
import styles from "./lists.module.css";

/** Leads to older entries, and back to the newest; `lastId` is undefined on the last page. */
export function Pager({ lastId }: { readonly lastId: string | undefined }) {
  const [search, setSearch] = useSearchParams();
  const isFirst = !search.has("starting_after");
  if (isFirst && lastId === undefined) return null;
  const go = (after: string | null): void => {
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (after === null) next.delete("starting_after");
      else next.set("starting_after", after);
      return next;
    });
  };
  return (
    <nav aria-label="Pages" className={styles["pager"]}>
      <Button disabled={isFirst} onClick={() => go(null)}>
        Newest
      </Button>
      <Button disabled={lastId === undefined} onClick={() => go(lastId ?? null)}>
        Older
      </Button>
    </nav>
  );
}
