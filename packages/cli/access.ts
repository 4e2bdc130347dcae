import { join, resolve } from "node:path";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { writeFileAtomically } from "../../infra/atomic-file.ts";
import { withoutSlash } from "../client/caller.ts";
import { CliError, EXIT_CODES } from "./errors.ts";

/** How the API is reached. */
export interface Access {
  readonly url: string;
  readonly key: string;
}

/** What a `npm start` on this machine wrote into its data folder. */
export interface LocalProduct {
  readonly access: Access;
  readonly deskUrl: string;
  readonly deskToken: string;
}

/** The places that a key and an address may come from. */
export interface AccessSources {
  readonly env: NodeJS.ProcessEnv;
  /** What `nps login` stored. */
  readonly login: Access | null;
  readonly local: LocalProduct | null;
}

/**
 * The variables, else the login, else the local `npm start`; null where there is no key or no address. A kept key goes
 * only to its own address, never to another one that a variable names.
 */
export function chooseAccess({ env, login, local }: AccessSources): Access | null {
  const named = nonEmpty(env["NPS_API_URL"]);
  const isMeant = (kept: Access | null | undefined): boolean =>
    kept != null && (named === undefined || withoutSlash(kept.url) === withoutSlash(named));
  const kept = [login, local?.access].find(isMeant);
  const url = named ?? nonEmpty(kept?.url);
  const key = nonEmpty(env["NPS_API_KEY"]) ?? nonEmpty(kept?.key);
  return url === undefined || key === undefined ? null : { url: withoutSlash(url), key };
}

const NO_KEY =
  "There is no key. Sign in with `nps login`, set NPS_API_URL and NPS_API_KEY, or run `npm start` here.";

/** Why `chooseAccess` finds nothing. The value of NPS_API_URL may hold a password, and is not quoted. */
export function whyNoAccess({ env, login, local }: AccessSources): string {
  const kept = login ?? local?.access;
  const isElsewhere =
    nonEmpty(env["NPS_API_URL"]) !== undefined && nonEmpty(kept?.key) !== undefined;
  if (kept === undefined || !isElsewhere) return NO_KEY;
  const whose = login === null ? "of the local `npm start`" : "that `nps login` kept";
  return `The key ${whose} belongs to ${kept.url}, and NPS_API_URL names another address. Sign in there with \`nps login --url <url>\`, set NPS_API_KEY, or unset NPS_API_URL.`;
}

/** Whether the key is that of the variable, which goes before a login. */
export function isKeyOfVariable(env: NodeJS.ProcessEnv): boolean {
  return nonEmpty(env["NPS_API_KEY"]) !== undefined;
}

export interface DeskAccess {
  readonly url: string;
  readonly token: string;
}

/** The desk beside the API: that of the variables, or the local one if the API is the local one too. */
export function chooseDesk(
  { env, local }: Pick<AccessSources, "env" | "local">,
  api: Access,
): DeskAccess | null {
  const url = nonEmpty(env["NPS_DESK_URL"]);
  const token = nonEmpty(env["NPS_DESK_TOKEN"]);
  if (url !== undefined && token !== undefined) return { url: withoutSlash(url), token };
  if (local === null || local.access.url !== api.url) return null;
  return { url: local.deskUrl, token: local.deskToken };
}

/** Whether the API runs on this machine, where nothing that is ordered reaches a carrier. */
export function isOnThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

/** The running `npm start` of this clone; null where none runs. */
export function readLocalProduct(projectRoot: string, env: NodeJS.ProcessEnv): LocalProduct | null {
  const folder = resolve(projectRoot, env["DATA_DIR"] ?? ".data");
  const kept = readJsonFile(join(folder, "credentials.json"));
  if (kept === null) return null;
  return {
    access: { url: textField(kept, "api_url"), key: textField(kept, "api_key") },
    deskUrl: textField(kept, "desk_url"),
    deskToken: textField(kept, "desk_token"),
  };
}

/** Only the user reads keys and secrets. */
const PRIVATE = 0o600;

/** The folder for what is kept from one command to the next. */
function configFolder(env: NodeJS.ProcessEnv): string {
  const base = env["XDG_CONFIG_HOME"];
  return join(base === undefined || base === "" ? join(homedir(), ".config") : base, "nps");
}

const loginPath = (env: NodeJS.ProcessEnv): string => join(configFolder(env), "login.json");
const secretPath = (env: NodeJS.ProcessEnv): string => join(configFolder(env), "listen.json");

export function readLogin(env: NodeJS.ProcessEnv): Access | null {
  const kept = readJsonFile(loginPath(env));
  return kept === null ? null : { url: textField(kept, "url"), key: textField(kept, "key") };
}

/** Returns the path of the file. */
export function keepLogin(env: NodeJS.ProcessEnv, access: Access): string {
  keep(env, loginPath(env), access);
  return loginPath(env);
}

export function forgetLogin(env: NodeJS.ProcessEnv): void {
  rmSync(loginPath(env), { force: true });
}

/** The secret that `listen` signs with, the same each time, so that a receiver can be set up once. */
export function ensureListenSecret(env: NodeJS.ProcessEnv, create: () => string): string {
  const kept = readJsonFile(secretPath(env));
  const known = kept === null ? "" : textField(kept, "secret");
  if (known !== "") return known;
  const secret = create();
  keep(env, secretPath(env), { secret });
  return secret;
}

function keep(env: NodeJS.ProcessEnv, path: string, value: object): void {
  mkdirSync(configFolder(env), { recursive: true, mode: 0o700 });
  writeFileAtomically(path, `${JSON.stringify(value, null, 2)}\n`, PRIVATE);
}

type Json = Readonly<Record<string, unknown>>;

/** The object in a file; null where there is no such file. @throws CliError if it cannot be read */
export function readJsonFile(path: string): Json | null {
  if (!existsSync(path)) return null;
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof value === "object" && value !== null) return value as Json;
  } catch (error) {
    throw new CliError(`${path} cannot be read: ${String(error)}`, EXIT_CODES.access);
  }
  throw new CliError(`${path} is not the JSON that was expected.`, EXIT_CODES.access);
}

/** A text of the object; empty where it has none. */
export function textField(object: Json, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}
