import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { request } from "../../ui/http/request.ts";

interface Account {
  readonly id: string;
  readonly name: string;
}

/** The account of what is listed with its id alone; its name is fetched once. */
export function AccountLink({ id }: { readonly id: string }) {
  const { data } = useQuery({
    queryKey: ["accounts", id, "name"],
    queryFn: ({ signal }) => request<Account>("GET", `/desk/v1/accounts/${id}`, { signal }),
    staleTime: Infinity,
  });
  return <Link href={`/accounts/${id}`}>{data?.name ?? `…${id.slice(-8)}`}</Link>;
}
