import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../../infra/start/supervisor/ports.ts";
import { temporaryFolder } from "../lifetime/temporary-folder.ts";
import { makeCertificates } from "../net/test-certificates.ts";
import { startOwnStack } from "./own-stack.ts";
import { testStack } from "./test-stack.ts";

export interface TlsBroker {
  /** The plain address, for the test's own administration. */
  readonly plain: string;
  /** The encrypted one, with a certificate for `localhost`. */
  readonly encrypted: string;
  /** The file with the authority that signed that certificate. */
  readonly caFile: string;
}

const SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required;";

/** A broker of the test's own that listens by TLS, too, with the run's database and registry. */
export async function startTlsBroker(): Promise<TlsBroker> {
  const folder = temporaryFolder("tls");
  const { ca, good } = makeCertificates("localhost");
  const [caFile, keystore] = [join(folder, "ca.pem"), join(folder, "broker.pem")];
  writeFileSync(caFile, ca);
  writeFileSync(keystore, good.key + good.cert);
  const port = await freePort();
  const { database_url: databaseUrl, schema_registry_url: registryUrl } = testStack();
  const { addresses } = await startOwnStack({
    existing: { databaseUrl, registryUrl },
    kafkaSettings: ({ clients, controller }) => ({
      listeners: `CLIENTS://127.0.0.1:${clients},TLS://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
      "advertised.listeners": `CLIENTS://127.0.0.1:${clients},TLS://localhost:${port}`,
      "listener.security.protocol.map":
        "CLIENTS:SASL_PLAINTEXT,TLS:SASL_SSL,CONTROLLER:SASL_PLAINTEXT",
      "listener.name.tls.sasl.enabled.mechanisms": "SCRAM-SHA-512",
      "listener.name.tls.scram-sha-512.sasl.jaas.config": SCRAM,
      "listener.name.tls.ssl.keystore.type": "PEM",
      "listener.name.tls.ssl.keystore.location": keystore,
    }),
  });
  return { plain: addresses.kafkaBrokers, encrypted: `localhost:${port}`, caFile };
}
