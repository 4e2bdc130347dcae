import { COUNTRY_CODES } from "../../../../domain/countries/country-code.ts";
import { Button } from "../../../ui/button.tsx";
import { ChoiceFilter, Filters, TextFilter } from "../../../ui/filters.tsx";
import { AccountChip } from "./account-chip.tsx";
import { useProviders } from "../../carriers/queries.ts";
import { STATUS_WORDS } from "../order-words.ts";
import type { OrderStatus } from "../queries.ts";
import { STATUS_GROUPS, type ListFilters } from "./list-filters.ts";

const countryNames = new Intl.DisplayNames("en", { type: "region" });

interface OrderFiltersProps {
  readonly filters: ListFilters;
  readonly change: (changes: Partial<ListFilters>) => void;
  readonly clear: () => void;
  readonly isFiltered: boolean;
}

export function OrderFilters({ filters, change, clear, isFiltered }: OrderFiltersProps) {
  const { data: providers } = useProviders();
  return (
    <Filters label="Filter the orders" isFiltered={isFiltered} onClear={clear}>
      <StatusFilter value={filters.status} onChange={(status) => change({ status })} />
      <ChoiceFilter
        label="Attention"
        value={filters.attention}
        onChange={(attention) => change({ attention })}
      >
        <option value="">Any order</option>
        <option value="true">Needs attention</option>
        <option value="false">Needs none</option>
      </ChoiceFilter>
      <ChoiceFilter
        label="Provider"
        value={filters.provider}
        onChange={(provider) => change({ provider })}
      >
        <option value="">Any provider</option>
        {withChosen(providers?.data.map(({ name }) => name) ?? [], filters.provider).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </ChoiceFilter>
      <ChoiceFilter
        label="Country"
        value={filters.country}
        onChange={(country) => change({ country })}
      >
        <option value="">Any country</option>
        {withChosen(COUNTRY_CODES, filters.country).map((code) => (
          <option key={code} value={code}>
            {countryNames.of(code)}
          </option>
        ))}
      </ChoiceFilter>
      <TextFilter
        label="FOC date from"
        type="date"
        value={filters.foc_from}
        onChange={(foc_from) => change({ foc_from })}
      />
      <TextFilter
        label="FOC date to"
        type="date"
        value={filters.foc_to}
        onChange={(foc_to) => change({ foc_to })}
      />
      <AccountChip account={filters.account} onRemove={() => change({ account: "" })} />
      {filters.carrier !== "" && (
        <Button kind="quiet" onClick={() => change({ carrier: "" })}>
          From {filters.carrier} ✕
        </Button>
      )}
      {filters.batch !== "" && (
        <Button kind="quiet" onClick={() => change({ batch: "" })}>
          One batch ✕
        </Button>
      )}
    </Filters>
  );
}

/** What the URL asks for stays chosen, also before the choices have been fetched. */
function withChosen(names: readonly string[], chosen: string): readonly string[] {
  return chosen === "" || names.includes(chosen) ? names : [...names, chosen];
}

interface StatusFilterProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function StatusFilter({ value, onChange }: StatusFilterProps) {
  return (
    <ChoiceFilter label="Status" value={value} onChange={onChange}>
      <option value="">Any status</option>
      <optgroup label="Several">
        {Object.entries(STATUS_GROUPS).map(([key, { name }]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </optgroup>
      <optgroup label="One">
        {(Object.keys(STATUS_WORDS) as OrderStatus[]).map((status) => (
          <option key={status} value={status}>
            {STATUS_WORDS[status].name}
          </option>
        ))}
      </optgroup>
    </ChoiceFilter>
  );
}
