import { mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { writeFileAtomically } from "../../../infra/atomic-file.ts";
import type { Access } from "./access.ts";
import { readJsonFile, textField } from "./json-file.ts";

/** Only the user reads keys and secrets. */
const PRIVATE = 0o600;

/** The folder for what is kept from one command to the next. */
export function configFolder(env: NodeJS.ProcessEnv): string {
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
