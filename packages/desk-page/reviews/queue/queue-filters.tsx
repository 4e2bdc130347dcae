import { useEffect, useState, type SubmitEvent } from "react";
import { COUNTRY_CODES } from "../../../../services/domain/countries/country-code.ts";
import { NUMBER_TYPES } from "../../../../services/domain/countries/number-type.ts";
import { Button } from "../../../ui/button.tsx";
import { optionsOf, type Options } from "../../../ui/field.tsx";
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
  const { data: providers } = useProviders();
  const names = providers?.data.map(({ name }) => name) ?? [];
  const isListed = filters.provider === "" || names.includes(filters.provider);
  return (
    <div className={styles["filters"]} role="search" aria-label="Cases">
      <Search q={filters.q} onChange={(q) => onChange({ q })} />
      <Choice
        label="Country"
        value={filters.country_code}
        any="All countries"
        options={COUNTRY_CODES.map((code) => [code, code])}
        onChoose={(code) => onChange({ country_code: code })}
      />
      <Choice
        label="Number type"
        value={filters.number_type}
        any="All types"
        options={NUMBER_TYPES.map((type) => [type, wordsOf(type)])}
        onChoose={(type) => onChange({ number_type: type })}
      />
      <Choice
        label="Provider"
        value={filters.provider}
        any="All providers"
        options={(isListed ? names : [filters.provider, ...names]).map((name) => [name, name])}
        onChoose={(provider) => onChange({ provider })}
      />
      <Choice
        label="Due"
        value={filters.due}
        any="Due at any time"
        options={[
          ["today", "Due today"],
          ["tomorrow", "Due by tomorrow"],
        ]}
        onChoose={(due) => onChange({ due: due as Due })}
      />
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

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** What is read where it filters nothing. */
  readonly any: string;
  readonly options: Options;
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, any, options, onChoose }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChoose(event.target.value)}>
      <option value="">{any}</option>
      {optionsOf(options)}
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

function Chip({ what, value, onRemove }: { what: string; value: string; onRemove: () => void }) {
  return (
    <button type="button" className={styles["chip"]} onClick={onRemove}>
      {what}: {value} <span aria-label={`Remove the filter ${what}`}>✕</span>
    </button>
  );
}
