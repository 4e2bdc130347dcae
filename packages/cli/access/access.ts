import { withoutSlash } from "../../client/call/check-access.ts";

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
