import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type { accountReference } from "../../../services/desk/accounts/answers.ts";
import { readOf, useList } from "../../ui/http/read.ts";
import { ChoiceFilter } from "../../ui/list.tsx";

type Account = z.output<typeof accountReference>;

interface AccountFilterProps {
  /** The account's id; empty for all. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** The first accounts by name; any other is chosen by a link from its own page. */
export function AccountFilter({ value, onChange }: AccountFilterProps) {
  const { data } = useList<Account>("accounts", "/desk/v1/accounts?order_by=name&limit=200");
  const listed = data?.data ?? [];
  const isOther = value !== "" && data !== undefined && listed.every(({ id }) => id !== value);
  const other = useQuery({
    ...readOf<Account>("accounts", `/desk/v1/accounts/${value}`),
    enabled: isOther,
  });
  const first = isOther ? [{ id: value, name: other.data?.name ?? value }] : [];
  return (
    <ChoiceFilter
      label="Account"
      value={value}
      any="All accounts"
      options={[...first, ...listed].map(({ id, name }) => [id, name])}
      onChange={onChange}
    />
  );
}
