import { useEffect, useState, type SubmitEvent } from "react";
import { Link } from "wouter";
import { COUNTRY_CODES } from "../../../../domain/countries/country-code.ts";
import { NUMBER_TYPES } from "../../../../domain/countries/number-type.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Modal, ModalActions } from "../../../ui/modal.tsx";
import { useProviders } from "../../carriers/carriers.ts";
import { SEARCH_BOX } from "../../keys.ts";
import { shortId, wordsOf } from "../reviews.ts";
import { isFiltered, type Due, type QueueFilters as Filters } from "./filters.ts";
import styles from "./queue.module.css";

interface QueueFiltersProps {
  readonly filters: Filters;
  readonly onChange: (changes: Partial<Filters>) => void;
}

const NONE: Partial<Filters> = {
  q: "",
  country_code: "",
  number_type: "",
  provider: "",
  account_id: "",
  due: "",
};

export function QueueFilters({ filters, onChange }: QueueFiltersProps) {
  return (
    <div className={styles["filters"]} role="search" aria-label="Cases">
      <Search q={filters.q} onChange={(q) => onChange({ q })} />
      <select
        aria-label="Country"
        value={filters.country_code}
        onChange={(event) => onChange({ country_code: event.target.value })}
      >
        <option value="">All countries</option>
        {COUNTRY_CODES.map((code) => (
          <option key={code}>{code}</option>
        ))}
      </select>
      <select
        aria-label="Number type"
        value={filters.number_type}
        onChange={(event) => onChange({ number_type: event.target.value })}
      >
        <option value="">All types</option>
        {NUMBER_TYPES.map((type) => (
          <option key={type} value={type}>
            {wordsOf(type)}
          </option>
        ))}
      </select>
      <ProviderChoice provider={filters.provider} onChoose={(provider) => onChange({ provider })} />
      <select
        aria-label="Due"
        value={filters.due}
        onChange={(event) => onChange({ due: event.target.value as Due })}
      >
        <option value="">Due at any time</option>
        <option value="today">Due today</option>
        <option value="tomorrow">Due by tomorrow</option>
      </select>
      {filters.account_id !== "" && (
        <Chip
          what="Account"
          value={shortId(filters.account_id)}
          onRemove={() => onChange({ account_id: "" })}
        />
      )}
      {isFiltered(filters) && (
        <Button kind="quiet" onClick={() => onChange(NONE)}>
          Clear
        </Button>
      )}
    </div>
  );
}

interface ProviderChoiceProps {
  readonly provider: string;
  readonly onChoose: (provider: string) => void;
}

function ProviderChoice({ provider, onChoose }: ProviderChoiceProps) {
  const { data: providers } = useProviders();
  const names = providers?.data.map(({ name }) => name) ?? [];
  const isListed = provider === "" || names.includes(provider);
  return (
    <select
      aria-label="Provider"
      value={provider}
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">All providers</option>
      {(isListed ? names : [provider, ...names]).map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

function Search({ q, onChange }: { readonly q: string; readonly onChange: (q: string) => void }) {
  const [text, setText] = useState(q);
  useEffect(() => setText(q), [q]);
  // The same again would leave the page of the list, and add a step to the way back.
  const search = (): void => {
    if (text.trim() !== q) onChange(text.trim());
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    search();
  };
  return (
    <form onSubmit={onSubmit} className={styles["search"]}>
      <input
        {...SEARCH_BOX}
        type="search"
        aria-label="Number, order id, reference or account"
        placeholder="Number, id, reference or account"
        maxLength={128}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={search}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.currentTarget.blur();
        }}
      />
    </form>
  );
}

interface ChipProps {
  readonly what: string;
  readonly value: string;
  readonly onRemove: () => void;
}

function Chip({ what, value, onRemove }: ChipProps) {
  return (
    <button type="button" className={styles["chip"]} onClick={onRemove}>
      {what}: {value} <span aria-label={`Remove the filter ${what}`}>✕</span>
    </button>
  );
}

interface SavedView {
  readonly name: string;
  /** The search of its URL. */
  readonly search: string;
}

const KEY = "desk.views";

function readViews(): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(kept: unknown): kept is SavedView {
  const { name, search } = (kept ?? {}) as Partial<SavedView>;
  return typeof name === "string" && typeof search === "string";
}

/** Filters kept under a name, in this browser. */
export function SavedViews({ search }: { readonly search: string }) {
  const [views, setViews] = useState(readViews);
  const [isNaming, setIsNaming] = useState(false);
  const keep = (next: readonly SavedView[]): void => {
    localStorage.setItem(KEY, JSON.stringify(next));
    setViews(next);
  };
  const isKept = views.some((view) => view.search === search);
  return (
    <div className={styles["views"]}>
      {views.map((view) => (
        <span key={view.name} className={styles["view"]}>
          <Link
            href={`/reviews?${view.search}`}
            aria-current={view.search === search ? "true" : undefined}
          >
            {view.name}
          </Link>
          <button
            type="button"
            aria-label={`Remove the view ${view.name}`}
            onClick={() => keep(views.filter(({ name }) => name !== view.name))}
          >
            ✕
          </button>
        </span>
      ))}
      {!isKept && (
        <Button kind="quiet" onClick={() => setIsNaming(true)}>
          Save view
        </Button>
      )}
      {isNaming && (
        <NameView
          onClose={() => setIsNaming(false)}
          onName={(name) => keep([...views.filter((view) => view.name !== name), { name, search }])}
        />
      )}
    </div>
  );
}

interface NameViewProps {
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}

function NameView({ onName, onClose }: NameViewProps) {
  const [name, setName] = useState("");
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    onName(name.trim());
    onClose();
  };
  return (
    <Modal title="Save this view" description="It is kept in this browser." onClose={onClose}>
      <form onSubmit={onSubmit} className={styles["form"]}>
        <Field label="Name">
          {(control) => (
            <input
              {...control}
              required
              autoFocus
              maxLength={40}
              pattern=".*\S.*"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <ModalActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary">
            Save
          </Button>
        </ModalActions>
      </form>
    </Modal>
  );
}
