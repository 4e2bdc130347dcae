import { join } from "node:path";
import { AppError } from "../../../services/platform/errors.ts";
import type { ProcessOwner } from "../../local-stack/process-owner.ts";
import { projectRoot } from "../../project-root.ts";
import { httpStatus, reactsTo } from "./http-status.ts";
import { KeptProgram } from "./kept-program.ts";
import { ListenerPort } from "./ports.ts";
import { PidFiles } from "./pid-files.ts";
import { SERVICE_PORTS, serviceOf, type CopyName, type ServiceName } from "./service-table.ts";

/** A machine that is busy with other things starts slowly; what cannot start says so sooner, by dying. */
const READY_TIMEOUT_MS = 180_000;

export interface SupervisorOptions {
  /** Contains `run/` (pid files) and `logs/`. */
  readonly dataDir: string;
  /** The environment of every service; the port, STOP_WITH_PARENT and a start's own variables override it. */
  readonly env: NodeJS.ProcessEnv;
  /** Variables of one service alone, such as its login; they override `env`. */
  readonly envOf?: (service: ServiceName) => NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  /** Who runs the services; null, and by default: we ourselves. */
  readonly owner?: ProcessOwner | null;
  /** The folder with `<name>/main.ts` of the services; default: the project's. */
  readonly servicesFolder?: string;
  /** After how long without any answer a service is restarted; default: 30 s. */
  readonly hungAfterMs?: number;
}

export interface ServiceStart {
  readonly env?: NodeJS.ProcessEnv;
  /** Default: any free port. */
  readonly port?: number;
}

/** One running copy of a service. */
export interface SupervisedService {
  readonly name: CopyName;
  readonly program: KeptProgram;
  /** Its base URL; most services listen only for `/readyz`. API and desk keep their port. */
  readonly url: () => string;
}

/** The host by which this machine can reach a listener. */
export function reachableHost(listenHost: string | undefined): string {
  if (listenHost === undefined || listenHost === "" || listenHost === "0.0.0.0") return "127.0.0.1";
  if (listenHost === "::") return "[::1]";
  return listenHost.includes(":") ? `[${listenHost}]` : listenHost;
}

/** Runs any set of services, each as a process of its own that is restarted when it dies. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #pidFiles: PidFiles;
  readonly #services = new Map<CopyName, SupervisedService>();

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#pidFiles = new PidFiles(join(options.dataDir, "run"));
  }

  /** Starts a service, without waiting: see `whenReady`, or its `program.whenReady`. A name can be started once. */
  start(name: CopyName, how: ServiceStart = {}): SupervisedService {
    if (this.#services.has(name))
      throw new AppError("stack_failed", `${name} was started already.`);
    const { owner = null, hungAfterMs } = this.#options;
    const variable = SERVICE_PORTS[serviceOf(name)];
    const own = this.#options.envOf?.(serviceOf(name));
    const env: NodeJS.ProcessEnv = { ...this.#options.env, ...own, ...how.env };
    const host = reachableHost(env["LISTEN_HOST"]);
    let port: ListenerPort | null = null;
    const url = (): string => `http://${host}:${port?.number ?? 0}`;
    const program: KeptProgram = new KeptProgram({
      name,
      logPath: join(this.#options.dataDir, "logs", `${name}.log`),
      pidFiles: this.#pidFiles,
      stopSignal: "SIGTERM",
      log: this.#options.log,
      isReady: async () => {
        const ready = (await httpStatus(`${url()}/readyz`)) === 200;
        // Clients know the address of API and desk: they keep their port once they are ready.
        if (ready && variable !== "HEALTH_PORT") port?.settle();
        return ready;
      },
      reacts: () => reactsTo(`${url()}/healthz`),
      ...(hungAfterMs === undefined ? {} : { hungAfterMs }),
      launch: async () => {
        port ??= how.port === undefined ? await ListenerPort.free() : ListenerPort.fixed(how.port);
        const set = { [variable]: String(await port.moveIfTaken()), STOP_WITH_PARENT: "true" };
        const args = [...heapFlags(serviceOf(name)), this.#entry(name)];
        return { command: process.execPath, args, env: { ...env, ...set }, owner };
      },
    });
    const service = { name, program, url };
    this.#services.set(name, service);
    program.start();
    return service;
  }

  /** A started service; throws where none has that name. */
  service(name: CopyName): SupervisedService {
    const service = this.#services.get(name);
    if (service === undefined) throw new AppError("stack_failed", `${name} was not started.`);
    return service;
  }

  /** Resolves once every started service answers its `/readyz` with 200. */
  async whenReady(signal?: AbortSignal): Promise<void> {
    const all = [...this.#services.values()];
    await Promise.all(all.map(({ program }) => program.whenReady(READY_TIMEOUT_MS, signal)));
  }

  /** Stops all at the same time: by SIGTERM, and by SIGKILL after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    await Promise.all([...this.#services.values()].map(({ program }) => program.stop(graceMs)));
    this.#services.clear();
  }

  #entry(name: CopyName): string {
    const folder = this.#options.servicesFolder ?? join(projectRoot, "services");
    return join(folder, serviceOf(name), "main.ts");
  }
}

/**
 * V8's flags for a service where one machine has all of them. By itself V8 gives what was just made three times 16 MiB of each
 * busy process, and garbage twice what is still in use, which goes on growing for a minute. The sender makes the most garbage:
 * in a burst to many endpoints a small space for it costs a tenth of the rate.
 */
function heapFlags(service: ServiceName): readonly string[] {
  const young = service === "webhook-sender" ? 8 : 4;
  return [`--max-semi-space-size=${young}`, "--heap-growing-percent=40"];
}
