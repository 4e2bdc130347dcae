import type { Command } from "commander";
import {
  NUMBER_STATUS_VALUES,
  type ListNumbersQuery,
  type Number as PortedNumber,
} from "../../client/generated/api-types.ts";
import { paintStatus, shortTime, type Column } from "../output.ts";
import type { Session } from "../session.ts";
import { firstItems, leaf, listLeaf, repeated, type Json, type Limit } from "./define.ts";

interface ListOptions extends Limit {
  readonly status?: ListNumbersQuery["status"];
  readonly country?: string;
  readonly order?: string;
}

const COLUMNS: readonly Column<PortedNumber>[] = [
  { name: "number", of: ({ phone_number }) => phone_number },
  { name: "status", of: ({ status }) => status, paint: paintStatus },
  { name: "type", of: ({ country_code, number_type }) => `${country_code} ${number_type}` },
  { name: "provider", of: ({ provider }) => provider },
  { name: "forwarded to", of: ({ forwarding }) => forwarding?.primary ?? "" },
  { name: "locked", of: ({ port_out_lock }) => (port_out_lock ? "yes" : "no") },
  { name: "active since", of: ({ activated_at }) => shortTime(activated_at) },
];

/** `nps numbers`: the numbers on the platform. */
export function addNumberCommands(program: Command, session: Session): void {
  const numbers = program.command("numbers").description("the account's numbers on the platform");
  listLeaf(numbers, "list", "the newest numbers")
    .addOption(repeated("--status <status>", "only in this status", NUMBER_STATUS_VALUES))
    .option("--country <code>", "only of this country: US")
    .option("--order <id>", "only of this order")
    .action((options: ListOptions) => list(session, options));
  leaf(numbers, "show <number>", "a number: +12125550123").action((number: string, options: Json) =>
    show(session, number, options),
  );
}

async function list(session: Session, options: ListOptions): Promise<void> {
  const { limit, status, country, order } = options;
  const found = await firstItems(limit, (page) =>
    session.client.listNumbers({ ...page, status, country_code: country, porting_order_id: order }),
  );
  await session.printer(options).list(found, COLUMNS);
}

async function show(session: Session, number: string, options: Json): Promise<void> {
  const out = session.printer(options);
  const found = await session.client.getNumber(number);
  const { forwarding } = found;
  out.item(found, {
    number: found.phone_number,
    status: paintStatus(found.status, out.style.paint),
    kind: `${found.country_code} ${found.number_type}`,
    provider: found.provider,
    source: found.source,
    order: found.porting_order_id,
    released:
      found.release === null ? null : `${found.release.reason}, ${shortTime(found.release.at)}`,
    "active since": shortTime(found.activated_at),
    "forwarded to":
      forwarding === null
        ? null
        : [forwarding.primary, forwarding.fallback].filter(Boolean).join(", then "),
    "port-out lock": found.port_out_lock ? "on" : "off",
    "port-out PIN": found.port_out_pin_set ? "set" : "none",
    tags: found.tags.length === 0 ? null : found.tags.join(", "),
  });
}
