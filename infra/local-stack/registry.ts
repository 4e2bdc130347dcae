import { join } from "node:path";
import { KeptProgram } from "../start/supervisor/kept-program.ts";
import type { ListenerPort } from "../start/supervisor/ports.ts";
import { httpStatus } from "../start/supervisor/http-status.ts";
import { watchedCommand } from "../start/supervisor/processes.ts";
import { JVM_FLAGS, REGISTRY_JAR } from "./artifacts.ts";
import { CONFLUENT_API } from "./logins.ts";
import type { PartOptions } from "./process-owner.ts";

export interface RegistryOptions extends PartOptions {
  readonly java: string;
  /** The unpacked registry. */
  readonly folder: string;
  readonly port: ListenerPort;
  /** The registry's own database. */
  readonly databaseUrl: string;
}

export interface RegistryPart {
  readonly program: KeptProgram;
  /** Base of the Confluent API. */
  readonly url: () => string;
}

/** Services ask for a schema once: most of what a start makes is garbage soon, and would fill a larger young space. */
const HEAP = ["-Xms32m", "-Xmn8m", "-Xmx256m"];

function environment({ port, databaseUrl }: RegistryOptions): NodeJS.ProcessEnv {
  const { host, pathname, search, username, password } = new URL(databaseUrl);
  return {
    ...process.env,
    QUARKUS_HTTP_HOST: "127.0.0.1",
    QUARKUS_HTTP_PORT: String(port.number),
    QUARKUS_HTTP_ACCESS_LOG_ENABLED: "false",
    QUARKUS_LOG_LEVEL: "WARN",
    QUARKUS_LOG_CATEGORY__IO_APICURIO__LEVEL: "WARN",
    QUARKUS_BANNER_ENABLED: "false",
    APICURIO_STORAGE_KIND: "sql",
    APICURIO_STORAGE_SQL_KIND: "postgresql",
    APICURIO_DATASOURCE_URL: `jdbc:postgresql://${host}${pathname}${search}`,
    APICURIO_DATASOURCE_JDBC_INITIAL_SIZE: "1",
    APICURIO_DATASOURCE_JDBC_MIN_SIZE: "1",
    APICURIO_DATASOURCE_JDBC_MAX_SIZE: "2",
    APICURIO_DATASOURCE_USERNAME: decodeURIComponent(username),
    APICURIO_DATASOURCE_PASSWORD: decodeURIComponent(password),
  };
}

/** The schema registry's program, with its schemas in Postgres, without starting it. */
export function prepareRegistry(options: RegistryOptions): RegistryPart {
  const { dataDir, folder, java, port, pidFiles, owner, log } = options;
  const url = (): string => `http://127.0.0.1:${port.number}${CONFLUENT_API}`;
  const args = [...HEAP, ...JVM_FLAGS, "-jar", join(folder, REGISTRY_JAR)];
  const watched = watchedCommand({ command: java, args }, { stop: "SIGTERM", force: "SIGKILL" });
  const program = new KeptProgram({
    name: "registry",
    logPath: join(dataDir, "logs", "registry.log"),
    pidFiles,
    stopSignal: "SIGTERM",
    log,
    launch: async () => {
      await port.moveIfTaken();
      return { ...watched, env: environment(options), cwd: folder, owner };
    },
    isReady: async () => {
      const ready = (await httpStatus(`${url()}/subjects`)) === 200;
      if (ready) port.settle();
      return ready;
    },
  });
  return { program, url };
}
