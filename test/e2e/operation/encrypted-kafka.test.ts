/** @tier nightly @needs python3 */
import { spawn } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { projectRoot } from "../../../infra/project-root.ts";
import { providerUser } from "../../../services/messages/bus/topic-rights.ts";
import { createKafka } from "../../../services/platform/kafka/kafka-client.ts";
import { readKafkaSecurity } from "../../../services/platform/kafka/client-security.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { buildCallUpdate } from "../../support/carriers/call-update-factory.ts";
import { openCarrierClient, type CarrierClient } from "../../support/carriers/carrier-client.ts";
import { eventually } from "../../support/eventually.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import { buildPortOutUpdate } from "../../support/orders/number-stack.ts";
import { startProductAt, type OwnProduct } from "../../support/product/product.ts";
import { outputOf } from "../../support/programs/program-output.ts";
import { pythonVenv } from "../../support/programs/python-venv.ts";
import { variablesOf } from "../../support/stack/kafka-access.ts";
import { createTestDatabase, testStack } from "../../support/stack/test-stack.ts";
import { createTestTopics, ONE_TIER } from "../../support/stack/test-topics.ts";
import { readMessages } from "../../support/stack/topic-messages.ts";
import { startTlsBroker, type TlsBroker } from "../../support/stack/tls-broker.ts";

const PROVIDER = "us-lsr";
const CARRIER = "Example Bell";
const PYTHON_FOLDER = join(projectRoot, "examples", "carrier-integration", "python");
/** A clean clone installs the integration's packages first. */
const INSTALL_MS = 180_000;
const SLOW_MS = 60_000;
const NUMBER = "+12125550188";
const CALL = { provider: PROVIDER, phone_number: NUMBER };

let broker: TlsBroker;
let product: OwnProduct;
let topicPrefix: string;
let carrier: CarrierClient;

const tls = () => ({ KAFKA_SSL: "true", KAFKA_SSL_CA_FILE: broker.caFile });

beforeAll(async () => {
  broker = await startTlsBroker();
  topicPrefix = await createTestTopics({ brokers: broker.plain });
  const folder = temporaryFolder("carriers");
  cpSync(join(projectRoot, "data", "carriers"), folder, { recursive: true });
  const directory = { carriers: { [CARRIER]: { provider: PROVIDER } }, prefixes: {} };
  writeFileSync(join(folder, "directory.json"), JSON.stringify(directory));
  const { url: databaseUrl } = await createTestDatabase();
  const { schema_registry_url: registryUrl } = testStack();
  const place = { databaseUrl, kafkaBrokers: broker.encrypted, registryUrl };
  const env = {
    ...tls(),
    WEBHOOK_RETRY_SCHEDULE: ONE_TIER,
    CARRIERS_DIR: folder,
    DEADLINE_POLL: "100ms",
  };
  product = await startProductAt(place, { topicPrefix, env });
  carrier = await openCarrierClient(product, PROVIDER, tls());
});

async function startIntegration(): Promise<() => string> {
  const bin = await pythonVenv("carrier-integration", join(PYTHON_FOLDER, "requirements.txt"));
  const child = spawn(join(bin, "python"), ["-B", join(PYTHON_FOLDER, "main.py")], {
    env: {
      ...process.env,
      ...variablesOf(providerUser(PROVIDER)),
      ...tls(),
      KAFKA_BROKERS: broker.encrypted,
      SCHEMA_REGISTRY_URL: product.registryUrl,
      TOPIC_PREFIX: topicPrefix,
      PROVIDER,
      PORT_AFTER_SECONDS: "2",
      DATA_DIR: temporaryFolder("integration"),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endAfterTests(() => child.kill("SIGKILL"));
  return outputOf(child);
}

function api(path: string, body?: unknown) {
  const method = body === undefined ? "GET" : "POST";
  return call(`${product.apiUrl}/v2${path}`, { method, key: product.apiKey, body });
}

function desk(path: string, body?: unknown) {
  const method = body === undefined ? "GET" : "POST";
  return call(`${product.deskUrl}/desk/v1${path}`, { method, key: product.deskToken, body });
}

async function published(type: string): Promise<void> {
  await eventually(async () => {
    const events = dataOf(await api("/porting/events?limit=100"));
    expect(events.map((event) => event["type"])).toContain(type);
  });
}

describe("the product with a Kafka that encrypts", () => {
  let letter: string;

  it("dead-letters a call to a number that it does not have", async () => {
    await carrier.publish("carriers.calls", NUMBER, buildCallUpdate(CALL));
    letter = await eventually(async () => {
      const found = dataOf(await desk("/dead_letters?state=parked"));
      expect(found.map((one) => one["error_code"])).toEqual(["unknown_number"]);
      return String(found[0]?.["id"]);
    });
  });

  it(
    "carries an order to completed through the Python integration",
    async () => {
      const output = await startIntegration();
      await eventually(() => expect(output()).toContain("joined"), SLOW_MS);
      const made = await api("/porting_orders", {
        phone_numbers: [NUMBER],
        losing_carrier: CARRIER,
      });
      const id = String(dataOf(made)[0]?.["id"]);
      await fulfilOrder(product, id);
      await submitOrder(product, id);
      await confirmAtDesk(product, id);
      await eventually(async () => {
        expect((await api(`/porting_orders/${id}`)).body?.["status"]).toBe("completed");
      }, SLOW_MS);
    },
    INSTALL_MS,
  );

  it("replays the dead letter, which takes effect", async () => {
    expect((await desk(`/dead_letters/${letter}/replay`, {})).status).toBe(200);
    await published("call.forwarded");
  });

  it("takes calls from the carrier", async () => {
    const missed = {
      kind: "missed",
      reason: "no_answer",
      forwarded_by: null,
      stage: null,
    } as const;
    await carrier.publish("carriers.calls", NUMBER, buildCallUpdate({ ...CALL, ...missed }));
    await published("call.missed");
  });

  it("takes a port-out from the carrier, answers it, and lets the number go", async () => {
    const asked = buildPortOutUpdate({ provider: PROVIDER, phone_numbers: [NUMBER] });
    await carrier.publish("carriers.port-outs", NUMBER, asked);
    const id = await eventually(async () => {
      const [found] = dataOf(await api("/port_outs?status=decision_required"));
      expect(found?.["phone_numbers"]).toEqual([NUMBER]);
      return String(found?.["id"]);
    });
    expect((await api(`/port_outs/${id}/approve`, {})).status).toBe(200);
    await eventually(async () => {
      const place = { ...product, kafkaBrokers: broker.plain };
      const requests = await readMessages(place, "carriers.requests");
      const answers = requests.flatMap(({ port_out }) => (port_out === null ? [] : [port_out]));
      const { port_out_ref } = asked;
      expect(answers).toMatchObject([{ port_out_ref, approved: true }]);
    });
    const left = { update_id: crypto.randomUUID(), kind: "completed" as const };
    const foc_at = "2026-12-20T10:00:00+01:00";
    await carrier.publish("carriers.port-outs", NUMBER, { ...asked, ...left, foc_at });
    await published("number.ported_out");
  });

  it("has no dead letter left", async () => {
    expect(dataOf(await desk("/dead_letters?state=parked"))).toEqual([]);
  });

  it("is not reached by a client that does not trust its certificate, or does not encrypt", async () => {
    const login = variablesOf("outbox-relay");
    for (const env of [{ ...login, KAFKA_SSL: "true" }, login]) {
      const admin = createKafka({
        brokers: [broker.encrypted],
        security: readKafkaSecurity(env),
        clientId: "test",
        log: createLogger("test", "silent"),
        retry: { retries: 0 },
      }).admin();
      await expect(admin.connect()).rejects.toThrow();
      await admin.disconnect();
    }
  });
});
