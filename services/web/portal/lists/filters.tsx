import type { ReactNode } from "react";
import { useSearchParams } from "wouter";
import styles from "./lists.module.css";

export function Filters({ children }: { readonly children: ReactNode }) {
  return (
    <search aria-label="Filter" className={styles["filters"]}>
      {children}
    </search>
  );
}

interface FilterFieldProps {
  /** Of the parameter in the URL. */
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  /** Options make it a choice. */
  readonly children?: ReactNode;
}

/** A filter that stands in the URL, so that reload, back and a copied address keep it. */
export function FilterField({ name, label, placeholder, children }: FilterFieldProps) {
  const [search, setSearch] = useSearchParams();
  const value = search.get(name) ?? "";
  const set = (next: string): void => {
    setSearch((before) => {
      const after = new URLSearchParams(before);
      after.delete("starting_after");
      if (next === "") after.delete(name);
      else after.set(name, next);
      return after;
    });
  };
  return (
    <label className={styles["filter"]}>
      <span>{label}</span>
      {children === undefined ? (
        <input
          key={value}
          type="search"
          defaultValue={value}
          placeholder={placeholder}
          onKeyDown={(event) => event.key === "Enter" && set(event.currentTarget.value.trim())}
          onBlur={(event) => event.target.value.trim() !== value && set(event.target.value.trim())}
        />
      ) : (
        <select value={value} onChange={(event) => set(event.target.value)}>
          {children}
        </select>
      )}
    </label>
  );
}
