import { Link } from "wouter";
import type { Delivery } from "./webhooks.ts";

export function AccountLink({ account: { id, name } }: Pick<Delivery, "account">) {
  return <Link href={`/accounts/${id}`}>{name}</Link>;
}
