/** @tier nightly @needs docker */
import { appendFileSync, chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import {
  openComposeProject,
  type ComposeProject,
} from "../../support/containers/compose-project.ts";
import { eventually } from "../../support/eventually.ts";
import { call, dataOf } from "../../support/http/call.ts";
import {
  confirmAtDesk,
  fulfilOrder,
  submitOrder,
  type CustomerAccess,
  type DeskAccess,
} from "../../support/orders/fulfil-order.ts";
import { EVENTS_TO_LIVE_NUMBER } from "../../support/orders/events-to-live-number.ts";
import { numbersFrom } from "../../support/product/test-numbers.ts";
import { compose, ownServices } from "../../support/programs/compose-file.ts";

const MINUTE_MS = 60_000;
const JOBS: readonly string[] = ["migrate", "kafka-access", "topics"];
const running = Object.keys(compose.services).filter((name) => !JOBS.includes(name));
/** Of the official image, to whom the archive's folder must belong. */
const POSTGRES_USER = 999;
const newNumber = numbersFrom(100);

interface Order {
  readonly id: string;
  readonly number: string;
}

let project: ComposeProject;
let access: CustomerAccess & DeskAccess;
/** Every order that was carried to a live number so far. */
const completed: Order[] = [];

const event = z.object({ id: z.string(), type: z.string(), payload: z.looseObject({}) });
const account = z.object({ api_key: z.string() });

/** Creates an order with everything that it needs, in review. */
async function orderInReview(): Promise<Order> {
  const number = newNumber();
  const url = `${access.apiUrl}/v2/porting_orders`;
  const body = { phone_numbers: [number] };
  const made = await call(url, { method: "POST", key: access.apiKey, body });
  expect(made.status).toBe(201);
  const id = z.string().parse(dataOf(made)[0]?.["id"]);
  await fulfilOrder(access, id);
  await submitOrder(access, id);
  return { id, number };
}

const customer = (path: string) => call(access.apiUrl + path, { key: access.apiKey });

/** The number is live, and the order's events are those of the story, each once. */
async function untilLive({ id, number }: Order): Promise<void> {
  await eventually(async () => {
    const order = await customer(`/v2/porting_orders/${id}`);
    expect(order.body?.["status"]).toBe("completed");
    const found = await customer(`/v2/numbers/${encodeURIComponent(number)}`);
    expect(found.body).toMatchObject({ status: "active", porting_order_id: id });
    const listed = await customer(`/v2/porting/events?order=asc&porting_order_id=${id}`);
    const events = z.array(event).parse(listed.body?.["data"]);
    const told = events.map((one) => [one.type, one.payload["new_status"]]);
    expect(told).toEqual(EVENTS_TO_LIVE_NUMBER);
    expect(new Set(events.map((one) => one.id)).size).toBe(events.length);
  }, 2 * MINUTE_MS);
}

async function carryToLive(): Promise<void> {
  const order = await orderInReview();
  await confirmAtDesk(access, order.id);
  await untilLive(order);
  completed.push(order);
}

async function expectNothingLost(): Promise<void> {
  for (const order of completed) await untilLive(order);
}

/** By service, of all containers that have been started. */
async function inspected(format: string, services = running): Promise<string[]> {
  const ids = `$(docker compose ps -q ${services.join(" ")})`;
  return (await project.run(`docker inspect -f '${format}' ${ids}`)).trim().split("\n");
}

/** The guide's first commands, with what their build and start say. */
let started: string;

beforeAll(async () => {
  const opened = await openComposeProject();
  const first = await opened.attempt(`${opened.block("passwords.sh")}\nprintf '\\n%s' "$TOKEN"`);
  // Compose says what it builds on one or the other.
  started = first.stdout + first.stderr;
  if (first.code !== 0) throw new Error(started);
  const [answer = "", deskToken = ""] = first.stdout.trim().split("\n").slice(-2);
  const { api_key: apiKey } = account.parse(JSON.parse(answer));
  access = { apiUrl: opened.apiUrl, deskUrl: opened.deskUrl, deskToken, apiKey };
  await opened.untilHealthy(running);
  // Last, so that no test begins where the start has failed.
  project = opened;
}, 15 * MINUTE_MS);

describe("docker-compose.yml on an engine", () => {
  it("builds one image once, and prints a token alone", () => {
    expect(started.match(/ exporting to image$/gm)).toHaveLength(1);
    expect(access.deskToken).toMatch(/^nps_desk_\w{38}$/);
  });

  it("carries an order to a live number", carryToLive, 3 * MINUTE_MS);

  it("is reached at this machine's loopback address alone, and serves no metrics there", async () => {
    const format = "{{range $to := .NetworkSettings.Ports}}{{range $to}}{{.HostIp}} {{end}}{{end}}";
    const addresses = (await inspected(format)).flatMap((line) => line.trim().split(/\s+/));
    expect(addresses.filter(Boolean)).toEqual(["127.0.0.1", "127.0.0.1"]);
    for (const url of [access.apiUrl, access.deskUrl]) {
      expect((await fetch(`${url}/metrics`)).status).toBe(404);
    }
    const ask = `node -e 'fetch("http://api:3002/metrics").then((answer) => console.log(answer.status))'`;
    expect(await project.run(`docker compose exec -T event-log ${ask}`)).toBe("200\n");
  });

  it(
    "is whole after a kill -9 of each container, with an order under way",
    async () => {
      const orders: (readonly [string, Order])[] = [];
      for (const name of running) orders.push([name, await orderInReview()]);
      for (const [name, order] of orders) {
        await confirmAtDesk(access, order.id);
        await project.kill(name);
        await project.untilHealthy(running);
        await untilLive(order);
        completed.push(order);
      }
      await carryToLive();
      await expectNothingLost();
    },
    20 * MINUTE_MS,
  );

  it(
    "is whole after a kill -9 of all containers at once",
    async () => {
      const order = await orderInReview();
      await confirmAtDesk(access, order.id);
      await project.kill(...running);
      await project.untilHealthy(running);
      await untilLive(order);
      completed.push(order);
      await expectNothingLost();
    },
    5 * MINUTE_MS,
  );

  it(
    "is restored from a base and the archived log",
    async () => {
      const override = join(project.folder, "docker-compose.override.yml");
      writeFileSync(override, `${project.block("archive_command")}\n`);
      for (const name of ["wal", "documents"]) {
        const folder = join(project.folder, "srv", name);
        mkdirSync(folder, { recursive: true });
        chownSync(folder, POSTGRES_USER, POSTGRES_USER);
      }
      await project.run("docker compose up -d");
      await project.untilHealthy(running);
      await project.run(project.block("pg_basebackup"));
      await carryToLive();
      // The last segment, which a server that is gone for good would have lost.
      const psql = "docker compose exec -T postgres psql -U porting -Atc";
      const switched = await project.run(`${psql} 'select pg_walfile_name(pg_switch_wal())'`);
      await eventually(async () => {
        const archived = await project.run(
          `${psql} 'select last_archived_wal from pg_stat_archiver'`,
        );
        expect(archived >= switched).toBe(true);
      }, MINUTE_MS);

      appendFileSync(
        override,
        `volumes: { postgres-data: { name: porting-compose-test-restored } }\n`,
      );
      const restore = project.block("recovery.signal").replace("base-….tar.gz", "base-*.tar.gz");
      await project.run(restore);
      await project.untilHealthy(running);
      await expectNothingLost();
      await carryToLive();
    },
    10 * MINUTE_MS,
  );

  it(
    "is upgraded to another version",
    async () => {
      project.checkOut("after");
      await project.run("docker compose up -d --build");
      await project.untilHealthy(running);
      const own = ownServices.filter((name) => !JOBS.includes(name));
      expect(new Set(await inspected("{{.Config.Image}}", own))).toEqual(
        new Set(["porting-compose-test:after"]),
      );
      await expectNothingLost();
      await carryToLive();
    },
    15 * MINUTE_MS,
  );

  it(
    "says which job has failed, and goes on once the cause is removed",
    async () => {
      const settings = join(project.folder, ".env");
      const right = readFileSync(settings, "utf8");
      writeFileSync(settings, right.replace(/^TOPIC_PARTITIONS=.*$/m, "TOPIC_PARTITIONS=none"));
      const failed = await project.attempt("docker compose up -d");
      expect(failed.code).not.toBe(0);
      expect(failed.stderr).toContain('service "topics" didn\'t complete successfully: exit 1');
      expect(await project.run("docker compose logs topics")).toContain("TOPIC_PARTITIONS");
      writeFileSync(settings, right);
      await project.run("docker compose up -d");
      await project.untilHealthy(running);
      await carryToLive();
    },
    5 * MINUTE_MS,
  );
});
