import { startRegistryGate } from "../local-stack/registry-gate.ts";
import { readRegistryPasswords } from "../passwords-config.ts";

/** The registry of docker-compose.yml, which only this program reaches. */
const REGISTRY = "http://registry:8080";

const gate = await startRegistryGate({
  host: "0.0.0.0",
  port: 8080,
  passwords: readRegistryPasswords(process.env),
  upstream: () => REGISTRY,
});
process.once("SIGTERM", () => void gate.stop());
