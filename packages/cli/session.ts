import { isHeaderWord, isHttpUrl } from "../client/caller.ts";
import { ApiError } from "../client/errors.ts";
import { PortingClient } from "../client/porting-client.ts";
import {
  chooseAccess,
  chooseDesk,
  isKeyOfVariable,
  isOnThisMachine,
  readLocalProduct,
  readLogin,
  whyNoAccess,
  type Access,
  type AccessSources,
} from "./access.ts";
import { DeskClient } from "./desk-client.ts";
import { CliError, EXIT_CODES, type ExitCode } from "./errors.ts";
import type { Host } from "./host.ts";
import { Printer, Progress } from "./output.ts";

const NO_URL =
  "The address of the API is not an http or https URL: see NPS_API_URL, or nps login --url.";
const NO_KEY = "The API key has characters that no key has: see NPS_API_KEY, or nps login.";
const NO_DESK_ACCESS =
  "NPS_DESK_URL is not an http or https URL, or NPS_DESK_TOKEN is not a token.";
const NO_SANDBOX =
  "This sends examples, which only a sandbox may get, and the service is not on this machine. If it is a sandbox, say so: --sandbox.";

/** What a command works with: the process, the API and the output. */
export class Session {
  readonly host: Host;
  readonly progress: Progress;
  exitCode: ExitCode = EXIT_CODES.done;
  #client: PortingClient | null = null;

  constructor(host: Host) {
    this.host = host;
    this.progress = new Progress(host.stderr);
  }

  printer({ json = false }: { readonly json?: boolean }): Printer {
    return new Printer({ ...this.host, progress: this.progress }, json);
  }

  /** @throws CliError where there is no key */
  get access(): Access {
    const found = this.#findAccess();
    if (found === null) throw new CliError(whyNoAccess(this.#sources()), EXIT_CODES.access);
    return found;
  }

  get client(): PortingClient {
    return (this.#client ??= clientAt(this.access, this.host.signal));
  }

  /** What to do where the API refuses the key; `login` tries a typed key by a client of its own. */
  get keyHint(): string {
    return this.#client !== null && isKeyOfVariable(this.host.env)
      ? "The key is that of NPS_API_KEY, which goes before a login: set another one, or unset it."
      : "Sign in with another key: nps login.";
  }

  /** Whether the API answers at the address, where a request found nothing; true where that cannot be known. */
  async isApiThere(): Promise<boolean> {
    if (this.#client === null) return true;
    try {
      await this.#client.listApiKeys({ limit: 1 }).first();
      return true;
    } catch (error) {
      return !(error instanceof ApiError && error.status === 404);
    }
  }

  /** Null where there is no key; for what works without the API too. */
  get optionalClient(): PortingClient | null {
    return this.#findAccess() === null ? null : this.client;
  }

  /** The desk of the sandbox, which plays the operators and the carriers; null where there is none. */
  get desk(): DeskClient | null {
    const { env } = this.host;
    const desk = chooseDesk({ env, local: this.#local() }, this.access);
    if (desk !== null && !(isHttpUrl(desk.url) && isHeaderWord(desk.token))) {
      throw new CliError(NO_DESK_ACCESS, EXIT_CODES.usage);
    }
    return desk === null ? null : new DeskClient(desk, this.host.signal);
  }

  /** Whether examples may be sent there: it is on this machine, or said to be a sandbox. */
  isSandbox(isSaid: boolean): boolean {
    return isSaid || isOnThisMachine(this.access.url);
  }

  /** @throws CliError unless examples may be sent there */
  requireSandbox(isSaid: boolean): void {
    if (!this.isSandbox(isSaid)) throw new CliError(NO_SANDBOX, EXIT_CODES.usage);
  }

  #findAccess(): Access | null {
    const found = chooseAccess(this.#sources());
    return found === null ? null : checkedAccess(found);
  }

  #sources(): AccessSources {
    const { env } = this.host;
    return { env, login: readLogin(env), local: this.#local() };
  }

  #local() {
    return readLocalProduct(this.host.projectRoot, this.host.env);
  }
}

/** @throws CliError if it cannot be used */
export function checkedAccess(access: Access): Access {
  if (!isHttpUrl(access.url)) throw new CliError(NO_URL, EXIT_CODES.usage);
  if (!isHeaderWord(access.key)) throw new CliError(NO_KEY, EXIT_CODES.access);
  return access;
}

/** The client of the command line, at which a person waits: it tries again only twice. */
export function clientAt({ url, key }: Access, signal: AbortSignal): PortingClient {
  const options = { baseUrl: url, apiKey: key, userAgent: "nps", maxRetries: 2, signal };
  return new PortingClient(options);
}
