import type { Command } from "commander";
import type { RequirementGroup } from "../../client/generated/api-types.ts";
import type { Column } from "../output.ts";
import type { Session } from "../session.ts";
import { bySlug, firstItems, leaf, listLeaf, repeated, type Json, type Limit } from "./define.ts";

interface SaveOptions extends Json {
  readonly set?: readonly string[];
  readonly order?: string;
}

const COLUMNS: readonly Column<RequirementGroup>[] = [
  { name: "id", of: ({ id }) => id },
  { name: "name", of: ({ name }) => name },
  { name: "values", of: ({ requirements }) => Object.keys(requirements).join(", ") },
];

/** `nps holders`: holders whose values are kept for the next orders. */
export function addHolderCommands(program: Command, session: Session): void {
  const holders = program.command("holders").description("holders saved for the next orders");
  listLeaf(holders, "list", "the newest holders").action(async (options: Limit) => {
    const found = await firstItems(options.limit, (page) =>
      session.client.listRequirementGroups(page),
    );
    await session.printer(options).list(found, COLUMNS);
  });
  leaf(holders, "save <name>", "save one; its id is for nps orders create --holder")
    .addOption(repeated("--set <slug=value>", "a value, or a document's id"))
    .option("--order <id>", "an order whose values are kept")
    .action(async (name: string, { set, order, ...options }: SaveOptions) => {
      const requirements = set === undefined ? undefined : Object.fromEntries(bySlug(set));
      const body = { name, requirements, porting_order_id: order };
      const saved = await session.client.createRequirementGroup(body);
      await session.printer(options).list([saved], COLUMNS);
    });
  leaf(holders, "delete <id>", "delete one; orders keep what they have been given").action(
    (id: string) => session.client.deleteRequirementGroup(id),
  );
}
