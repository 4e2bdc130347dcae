import type { Command } from "commander";
import { withoutSlash } from "../../client/caller.ts";
import { isNotFound } from "../../client/errors.ts";
import { forgetLogin, isKeyOfVariable, keepLogin, type Access } from "../access.ts";
import { CliError, EXIT_CODES, notTheApi, usageError } from "../errors.ts";
import { readInput, type Host } from "../host.ts";
import { checkedAccess, clientAt, type Session } from "../session.ts";
import { leaf, type Json } from "./define.ts";

const LOCAL_URL = "http://127.0.0.1:3000";
const SHOWN_CHARACTERS = 14;

interface LoginOptions extends Json {
  readonly url: string;
}

/** `nps login` and `nps logout`. */
export function addLoginCommands(program: Command, session: Session): void {
  leaf(program, "login", "store an address and a key, which is asked for or read from a pipe")
    .option("--url <url>", "the address of the API", LOCAL_URL)
    .action((options: LoginOptions) => login(session, options));
  leaf(program, "logout", "delete them").action((options: Json) => {
    forgetLogin(session.host.env);
    session.printer(options).note("Forgotten.");
  });
}

async function login(session: Session, options: LoginOptions): Promise<void> {
  const { host } = session;
  const url = withoutSlash(options.url);
  checkedAccess({ url, key: "" });
  const key = await readKey(host);
  if (key === "") throw usageError("No key was given.");
  await tryAccess(checkedAccess({ url, key }), host.signal);
  const path = keepLogin(host.env, { url, key });
  const prefix = key.slice(0, SHOWN_CHARACTERS);
  const out = session.printer(options);
  out.item({ url, prefix, path }, { url, key: `${prefix}…`, "kept in": path });
  if (isKeyOfVariable(host.env)) out.note("NPS_API_KEY is set, and goes before this login.");
}

/** @throws CliError where it is not the API's address; ApiError, ConnectionError where the key cannot be used there */
async function tryAccess(access: Access, signal: AbortSignal): Promise<void> {
  try {
    await clientAt(access, signal).listApiKeys({ limit: 1 }).first();
  } catch (error) {
    // The API has this list for every key.
    throw isNotFound(error) ? notTheApi() : error;
  }
}

/** Never from an argument, which the shell's history would keep. */
async function readKey(host: Host): Promise<string> {
  const { stdin, stderr, signal } = host;
  if (stdin.isTTY !== true) return (await readInput(host)).toString("utf8").trim();
  const { createInterface } = await import("node:readline/promises");
  const { Writable } = await import("node:stream");
  stderr.write("API key: ");
  // What is typed is not shown.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output, terminal: true });
  const ended = new AbortController();
  // The terminal is in raw mode: Ctrl-C comes as a key, not as a signal.
  lines.once("SIGINT", () => ended.abort());
  try {
    const either = AbortSignal.any([ended.signal, signal]);
    return (await lines.question("", { signal: either })).trim();
  } catch {
    throw new CliError("No key was given.", EXIT_CODES.interrupted);
  } finally {
    lines.close();
    stderr.write("\n");
  }
}
