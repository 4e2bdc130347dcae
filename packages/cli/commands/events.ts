import type { Command } from "commander";
import { open, rm, type FileHandle } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { EventName, PortingEvent } from "../../client/feed.ts";
import { CliError, EXIT_CODES } from "../errors.ts";
import { shortTime, type Column, type Printer } from "../output.ts";
import type { Session } from "../session.ts";
import { eventTypes, firstItems, leaf, listLeaf, type Json, type Limit } from "./define.ts";
import { showExchange } from "./listen.ts";

interface Types {
  readonly type?: readonly EventName[];
}

interface ListOptions extends Limit, Types {
  readonly order?: string;
}

interface TailOptions extends Json, Types {
  readonly since?: string;
}

interface ExportOptions {
  readonly since?: string;
  readonly out?: string;
}

const COLUMNS: readonly Column<PortingEvent>[] = [
  { name: "created", of: ({ created_at }) => shortTime(created_at) },
  { name: "type", of: ({ type }) => type },
  { name: "id", of: ({ id }) => id },
  { name: "order", of: ({ order_id }) => order_id },
];

/** `nps events`: the account's feed. */
export function addEventCommands(program: Command, session: Session): void {
  const events = program.command("events").description("the feed: what happened, in order");
  listLeaf(events, "list", "the newest events")
    .addOption(eventTypes("--type <type>", "only events of this type"))
    .option("--order <id>", "only events of this order")
    .action((options: ListOptions) => list(session, options));
  leaf(events, "tail", "follow the events as they happen, until Ctrl-C")
    .addOption(eventTypes("--type <type>", "only events of this type"))
    .option("--since <event id>", "begin after this event, not now")
    .action((options: TailOptions) => tail(session, options));
  events
    .command("export")
    .description("all events, oldest first, one JSON value a line")
    .option("--json", "as it does anyway")
    .option("--since <event id>", "begin after this event")
    .option("--out <path>", "into a file, which must not exist yet")
    .action((options: ExportOptions) => exportAll(session, options));
}

async function list(session: Session, options: ListOptions): Promise<void> {
  const { limit, type, order } = options;
  const events = await firstItems(limit, (page) =>
    session.client.events({ ...page, type, porting_order_id: order }),
  );
  await session.printer(options).list(events, COLUMNS);
}

async function tail(session: Session, options: TailOptions): Promise<void> {
  const { type = [], since } = options;
  const out = session.printer(options);
  const following = session.client.followEvents({
    signal: session.host.signal,
    ...(since === undefined ? {} : { startingAfter: since }),
    onCut: () => out.progress.show("The stream was cut; waiting for the service …"),
    onOpen: () => out.progress.clear(),
  });
  for await (const event of following) {
    if (type.length > 0 && !type.includes(event.type)) continue;
    if (out.isJson) out.json(event);
    else out.line(showExchange(event, null, out.style));
  }
}

async function exportAll(session: Session, { since, out: path }: ExportOptions): Promise<void> {
  const out = session.printer({ json: true });
  const events = session.client.events({ order: "asc", limit: 250, starting_after: since });
  if (path === undefined) {
    for await (const event of events) out.json(event);
    return;
  }
  const count = await writeFile(path, events, out);
  out.note(`${count} events exported to ${path}.`);
}

/** Returns how many; leaves no file that would pass for a whole export. */
async function writeFile(
  path: string,
  events: AsyncIterable<PortingEvent>,
  out: Printer,
): Promise<number> {
  const file = await createFile(path);
  let count = 0;
  const lines = async function* (): AsyncGenerator<string, void> {
    for await (const event of events) {
      yield `${JSON.stringify(event)}\n`;
      count += 1;
      if (count % 1_000 === 0) out.progress.show(`${count} events …`);
    }
  };
  try {
    await pipeline(lines, file.createWriteStream());
  } catch (error) {
    await rm(path, { force: true });
    throw isOfSystem(error) ? cannotWrite(path, error) : error;
  }
  return count;
}

function createFile(path: string): Promise<FileHandle> {
  return open(path, "wx").catch((error: unknown) => {
    throw isOfSystem(error) ? cannotWrite(path, error) : error;
  });
}

/** The file's errors, unlike the API's, name a system call. */
function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error;
}

function cannotWrite(path: string, { message }: Error): CliError {
  return new CliError(`${path} cannot be written: ${message}`, EXIT_CODES.usage);
}
