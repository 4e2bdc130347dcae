import type { Command } from "commander";
import {
  PORT_OUT_STATUS_VALUES,
  type ListPortOutsQuery,
  type PortOut,
  type PortOutRejectionCode,
  type RejectPortOutRequest,
} from "../../client/generated/api-types.ts";
import { paintStatus, shortTime, type Column, type Printer } from "../output.ts";
import type { Session } from "../session.ts";
import { firstItems, leaf, listLeaf, repeated, type Json, type Limit } from "./define.ts";

interface ListOptions extends Limit {
  readonly status?: ListPortOutsQuery["status"];
  readonly number?: string;
}

interface RejectOptions extends Json {
  readonly code: RejectPortOutRequest["code"];
  readonly reason?: string;
}

const COLUMNS: readonly Column<PortOut>[] = [
  { name: "id", of: ({ id }) => id },
  { name: "status", of: ({ status }) => status, paint: paintStatus },
  { name: "numbers", of: ({ phone_numbers }) => phone_numbers.join(", ") },
  { name: "to", of: ({ gaining_carrier }) => gaining_carrier },
  { name: "decide by", of: ({ decision_deadline }) => shortTime(decision_deadline) },
];

const CODE_COLUMNS: readonly Column<PortOutRejectionCode>[] = [
  { name: "code", of: ({ code }) => code },
  { name: "says", of: ({ title }) => title },
  { name: "allowed", of: ({ allowed }) => (allowed ? "yes" : "no") },
];

/** `nps port-outs`: other carriers' requests for the account's numbers. */
export function addPortOutCommands(program: Command, session: Session): void {
  const portOuts = program
    .command("port-outs")
    .description("other carriers' requests for the account's numbers");
  listLeaf(portOuts, "list", "the newest port-outs")
    .addOption(repeated("--status <status>", "only in this status", PORT_OUT_STATUS_VALUES))
    .option("--number <number>", "only for this number: +12125550123")
    .action((options: ListOptions) => list(session, options));
  leaf(portOuts, "show <id>", "a port-out").action(async (id: string, options: Json) =>
    show(session.printer(options), await session.client.getPortOut(id)),
  );
  leaf(portOuts, "codes <id>", "the codes for rejecting it").action(
    async (id: string, options: Json) => {
      const { data } = await session.client.listPortOutRejectionCodes(id);
      await session.printer(options).list(data, CODE_COLUMNS);
    },
  );
  leaf(portOuts, "approve <id>", "allow the port-out").action(async (id: string, options: Json) =>
    show(session.printer(options), await session.client.approvePortOut(id)),
  );
  leaf(portOuts, "reject <id>", "keep the numbers")
    .requiredOption("--code <code>", "why, for the carrier: subscriber_mismatch, pin_invalid …")
    .option("--reason <text>", "why, in words")
    .action(async (id: string, options: RejectOptions) => {
      const { code, reason } = options;
      show(session.printer(options), await session.client.rejectPortOut(id, { code, reason }));
    });
}

async function list(session: Session, options: ListOptions): Promise<void> {
  const { limit, status, number } = options;
  const found = await firstItems(limit, (page) =>
    session.client.listPortOuts({ ...page, status, phone_number: number }),
  );
  await session.printer(options).list(found, COLUMNS);
}

function show(out: Printer, portOut: PortOut): void {
  const { decision, decision_deadline } = portOut;
  out.item(portOut, {
    id: portOut.id,
    status: paintStatus(portOut.status, out.style.paint),
    numbers: portOut.phone_numbers.join(", "),
    to: portOut.gaining_carrier,
    "asked for": portOut.requested_foc,
    ...portOut.requester,
    "decide by": decision_deadline === null ? null : shortTime(decision_deadline),
    decision:
      decision === null
        ? null
        : `by ${decision.by}${decision.code === null ? "" : `: ${decision.code}`}`,
  });
}
