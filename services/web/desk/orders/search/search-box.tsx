import { useEffect, useId, useRef, useState } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import styles from "./search-box.module.css";
import { SEARCH_BOX, type SearchState } from "./use-search-key.ts";

const PAUSE_MS = 250;

interface SearchBoxProps {
  readonly value: string;
  /** Called a moment after the last key, and at once for Enter. */
  readonly onSearch: (value: string) => void;
}

/** The one box that finds an order by whatever a caller has at hand. */
export function SearchBox({ value, onSearch }: SearchBoxProps) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value);
  const [given, setGiven] = useState(value);
  if (value !== given) {
    setGiven(value);
    if (value !== text.trim()) setText(value);
  }
  const { wantsSearch = false } = useHistoryState<SearchState | null>() ?? {};
  useEffect(() => {
    if (wantsSearch) box.current?.focus();
  }, [wantsSearch]);
  const search = useRef(onSearch);
  search.current = onSearch;
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => search.current(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <div className={styles["search"]}>
      <label className="visually-hidden" htmlFor={id}>
        Search orders
      </label>
      <input
        {...SEARCH_BOX}
        ref={box}
        id={id}
        type="search"
        autoComplete="off"
        spellCheck={false}
        placeholder="Number or its last digits, reference, id, account"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onSearch(text.trim());
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  );
}
