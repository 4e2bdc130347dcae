import type { z } from "zod";
import type { personAnswer } from "../../../desk/operators/person-answer.ts";
import { ChoiceFilter } from "../../ui/filters.tsx";
import { useList } from "../../ui/http/use-read.ts";

type Person = z.output<typeof personAnswer>;

interface OperatorFilterProps {
  /** The operator's id; empty for all. */
  readonly chosen: string;
  /** Who acted in the entries that are shown, which may be somebody who has left. */
  readonly known: readonly (Person | null)[];
  readonly onChange: (id: string) => void;
}

/** The operators who decide, by name; an entry's name leads to what any other did. */
export function OperatorFilter({ chosen, known, onChange }: OperatorFilterProps) {
  const { data } = useList<Person>("operators", "/desk/v1/reviewers");
  const listed = data?.data ?? [];
  const isListed = chosen === "" || listed.some(({ id }) => id === chosen);
  const other = known.find((person) => person?.id === chosen)?.name ?? "One operator";
  const options = isListed ? listed : [{ id: chosen, name: other }, ...listed];
  return (
    <ChoiceFilter label="Operator" value={chosen} onChange={onChange}>
      <option value="">All operators</option>
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </ChoiceFilter>
  );
}
