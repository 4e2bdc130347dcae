/** @tier nightly */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { passwordNames } from "../../../infra/passwords-config.ts";
import {
  SERVICE_NAMES,
  SERVICE_PORTS,
  type ServiceName,
} from "../../../infra/start/supervisor/service-table.ts";
import { Supervisor } from "../../../infra/start/supervisor/supervisor.ts";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import { composeService, environmentOf, interpolate } from "../../support/programs/compose-file.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import { buildProgramImage, type ProgramImage } from "../../support/programs/program-image.ts";
import {
  createEmptyDatabase,
  testStack,
  uniqueTopicPrefix,
  type TestDatabase,
} from "../../support/stack/test-stack.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";

const run = promisify(execFile);
const stack = testStack();
const dataDir = temporaryFolder("containers");
/** Those of the run's stack: `password-of-api`. */
const passwords = Object.fromEntries(
  passwordNames.map((name) => {
    const user = name.slice(0, -"_PASSWORD".length).toLowerCase().replaceAll("_", "-");
    return [name, `password-of-${user === "kafka-admin" ? "admin" : user}`];
  }),
);
const variables = {
  ...passwords,
  POSTGRES_PASSWORD: "not-used-here",
  SECRETS_KEY: randomBytes(32).toString("base64"),
  TOPIC_PREFIX: uniqueTopicPrefix(),
  SANDBOX_STEP_MS: "50",
};

/** Local values of the variables that name Compose's network and volumes. */
const places = (given: Record<string, string>): Readonly<Record<string, string>> => ({
  DATABASE_URL: databaseUrlFor(given["DATABASE_URL"] ?? ""),
  KAFKA_BROKERS: stack.kafka_brokers,
  // Several containers have the same one.
  HEALTH_PORT: "0",
  SCHEMA_REGISTRY_URL: stack.schema_registry_url,
  LISTEN_HOST: "127.0.0.1",
  DOCUMENTS_DIR: join(dataDir, "documents"),
});

/** The database of the test, with the container's login where that is a service's. */
function databaseUrlFor(inside: string): string {
  if (!inside.includes("://porting_")) return database.url;
  const [own, { username, password }] = [new URL(database.url), new URL(inside)];
  return Object.assign(own, { username, password }).href;
}

let database: TestDatabase;
let image: ProgramImage;
let supervisor: Supervisor;

/** Exactly the variables of the container, nothing of this process. */
function environment(name: string): Record<string, string> {
  const given = environmentOf(name, variables);
  const moved = Object.entries(places(given)).filter(([key]) => key in given);
  return { NODE_ENV: "production", ...given, ...Object.fromEntries(moved) };
}

async function runJob(name: string): Promise<string> {
  return image.runJob(composeService(name).command, environment(name));
}

/** Runs the container's own health check against a local port. */
async function isHealthy(name: string, port: { inside: number; here: string }): Promise<boolean> {
  const [kind, command = "", ...args] = composeService(name).healthcheck?.test ?? [];
  expect(kind).toBe("CMD");
  const asked = args.map((arg) =>
    interpolate(arg, {}).replace(`127.0.0.1/${port.inside}`, `127.0.0.1/${port.here}`),
  );
  return run(command, asked, { env: { PATH: process.env["PATH"], ...portsOf(name) } }).then(
    () => true,
    () => false,
  );
}

function portsOf(name: string): Record<string, string> {
  const service = SERVICE_NAMES.find((one) => one === name);
  if (service === undefined) return {};
  return { [SERVICE_PORTS[service]]: new URL(supervisor.service(service).url()).port };
}

beforeAll(async () => {
  database = await createEmptyDatabase();
  image = await buildProgramImage();
  expect(await runJob("migrate")).toContain("may log in: porting_api, ");
  expect(await runJob("kafka-access")).toContain("11 users may log in");
  await runJob("topics");
  const rights = ["infra/topics/main.ts", "acls"];
  expect(await image.runJob(rights, environment("topics"))).toContain("outbox-relay: write topic");
  const servicesFolder = join(image.folder, "services");
  const log = (): void => undefined;
  supervisor = new Supervisor({ dataDir, log, env: {}, servicesFolder });
  endAfterTests(() => supervisor.stop(15_000));
  for (const name of SERVICE_NAMES) supervisor.start(name, { env: environment(name) });
  await supervisor.whenReady();
});

const named = z.object({ name: z.string().optional(), version: z.string() });
const installation = z.object({ packages: z.record(z.string(), named) });
const billOfMaterials = z.object({ components: z.array(named.required()) });

function textOfImage(path: string): string {
  return readFileSync(join(image.folder, path), "utf8");
}

async function firstAccess(deskUrl: string) {
  const operators = ["services/desk/commands/operators.ts"];
  // As the database's owner.
  const env = environment("migrate");
  await image.runJob([...operators, "add", "Ada"], env);
  const [deskToken = ""] = (await image.runJob([...operators, "token", "Ada"], env)).split("\n");
  const body = { name: "Acme" };
  const made = await call(`${deskUrl}/desk/v1/accounts`, { method: "POST", key: deskToken, body });
  expect(made.status).toBe(201);
  return { deskToken, apiKey: textOf(made, "api_key") };
}

describe("the image with the environment of docker-compose.yml", () => {
  it("carries an order to completed without development packages", async () => {
    const urlOf = (name: ServiceName): string => supervisor.service(name).url();
    const [apiUrl, deskUrl] = [urlOf("api"), urlOf("desk")];
    const access = { apiUrl, deskUrl, ...(await firstAccess(deskUrl)) };
    const body = { phone_numbers: ["+12125550143"] };
    const url = `${apiUrl}/v2/porting_orders`;
    const made = await call(url, { method: "POST", key: access.apiKey, body });
    expect(made.status).toBe(201);
    const orderId = z.string().parse(dataOf(made)[0]?.["id"]);
    await fulfilOrder(access, orderId);
    await submitOrder(access, orderId);
    await confirmAtDesk(access, orderId);
    await eventually(async () => {
      const order = await call(`${url}/${orderId}`, { key: access.apiKey });
      expect(order.body?.["status"]).toBe("completed");
    });
  });

  it("has the sources that run, and neither tests nor the sources of the pages", () => {
    const names = ["services", "infra", "packages"].flatMap((name) =>
      readdirSync(join(image.folder, name), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name),
    );
    expect(names.filter((name) => !name.endsWith(".ts") || name.endsWith(".test.ts"))).toEqual([]);
    expect(existsSync(join(image.folder, "packages", "desk-page"))).toBe(false);
  });

  it("lists what it has installed and built into the pages in its bill of materials", () => {
    const read = (path: string): unknown => JSON.parse(textOfImage(path)) as unknown;
    const installed = installation.parse(read("node_modules/.package-lock.json"));
    const { components } = billOfMaterials.parse(read("sbom.cdx.json"));
    const listed = components.map(({ name, version }) => `${name}@${version}`);
    const missing = Object.entries(installed.packages).flatMap(([path, { name, version }]) => {
      const id = `${name ?? path.replace(/^.*node_modules\//, "")}@${version}`;
      return listed.includes(id) ? [] : [id];
    });
    expect(missing).toEqual([]);
    const texts = ["desk", "portal", "docs"].map((page) =>
      textOfImage(`dist/web/${page}/licenses.md`),
    );
    const builtIn = texts.flatMap((text) => [...text.matchAll(/^## (\S+) - (\S+)/gm)]);
    const ids = builtIn.map(([, name = "", version = ""]) => `${name}@${version}`);
    expect(ids).toContainEqual(expect.stringMatching(/^react-dom@/));
    expect(ids.filter((id) => !listed.includes(id))).toEqual([]);
    expect(listed).not.toContainEqual(expect.stringMatching(/^(jest|vite|typescript)@/));
  });

  it("has jobs that can run again", async () => {
    const jobs = ["migrate", "kafka-access", "topics"];
    await expect(Promise.all(jobs.map(runJob))).resolves.toHaveLength(3);
  });

  it("has health checks that pass for a running service and fail for a missing one", async () => {
    for (const name of SERVICE_NAMES) {
      expect([name, await isHealthy(name, { inside: 0, here: "" })]).toEqual([name, true]);
    }
    const [, kafkaPort = ""] = stack.kafka_brokers.split(":");
    const registryPort = new URL(stack.schema_registry_url).port;
    expect(await isHealthy("kafka", { inside: 9092, here: kafkaPort })).toBe(true);
    expect(await isHealthy("registry", { inside: 8080, here: registryPort })).toBe(true);
    expect(await isHealthy("kafka", { inside: 9092, here: "1" })).toBe(false);
    expect(await isHealthy("registry", { inside: 8080, here: "1" })).toBe(false);
  });
});
