import { isIP } from "node:net";

import { hasAtMost } from "../characters.ts";

export const MAX_URL_LENGTH = 2_048;

const FIRST_FREE_PORT = 1_024;
const HTTPS_PORT = 443;
const HTTP_PORT = 80;

/**
 * The URL parser silently drops line breaks and tabs, so the host would not be the one that was written, escapes spaces, and
 * takes a backslash for a slash, so the receiver would be sent another URL than the one that is shown.
 */
const UNWRITABLE = /[\p{Cc}\s\\]/u;
/** It also accepts `https:host` and `https:///host`, which other parsers read as a path. */
const WITH_HOST = /^[a-z]+:\/\/[^/]/i;

/** The fixed sentence of each URL fault. */
const SENTENCES = {
  invalid_url: "It is not a valid absolute URL.",
  too_long: `It must have at most ${MAX_URL_LENGTH} characters.`,
  not_https: "It must begin with https://.",
  userinfo: "It must not contain a user name or a password.",
  fragment: "It must not contain a fragment.",
  port: "Its port must be 443 or at least 1024.",
} as const;

type UrlFaultCode = keyof typeof SENTENCES;

interface UrlFault {
  readonly code: UrlFaultCode;
  readonly detail: string;
}

/** A valid URL as the parser writes it: two that differ only as written, as in a default port or the host's case, are one. */
export function comparableUrl(text: string): string {
  return new URL(text).href;
}

interface UrlRules {
  readonly allowHttp: boolean;
}

/** The first rule that a customer's URL breaks; null if its form is valid. Does not check its host. */
export function findUrlFault(text: string, rules: UrlRules): UrlFault | null {
  const code = faultCode(text, rules);
  return code === null ? null : { code, detail: SENTENCES[code] };
}

/** Whether it is a URL of HTTP, whatever other rule it breaks: one whose host can be looked at. */
export function hasWebHost(text: string): boolean {
  const code = faultCode(text, { allowHttp: true });
  return code !== "too_long" && code !== "invalid_url" && code !== "not_https";
}

function faultCode(text: string, { allowHttp }: UrlRules): UrlFaultCode | null {
  if (!hasAtMost(MAX_URL_LENGTH, text)) return "too_long";
  if (!URL.canParse(text) || UNWRITABLE.test(text)) return "invalid_url";
  const url = new URL(text);
  if (url.protocol !== "https:" && !(allowHttp && url.protocol === "http:")) return "not_https";
  if (!WITH_HOST.test(text)) return "invalid_url";
  if (url.username !== "" || url.password !== "") return "userinfo";
  if (text.includes("#")) return "fragment";
  return isPortAllowed(url) ? null : "port";
}

function isPortAllowed({ protocol, port }: URL): boolean {
  if (port === "") return true;
  const number = Number(port);
  return (
    number >= FIRST_FREE_PORT ||
    number === HTTPS_PORT ||
    (protocol === "http:" && number === HTTP_PORT)
  );
}

/** A host, in brackets or not, as an address if it is an IP literal; null if it is a name. */
export function literalAddress(hostname: string): string | null {
  const isBracketed = hostname.startsWith("[") && hostname.endsWith("]");
  const bare = isBracketed ? hostname.slice(1, -1) : hostname;
  return isBracketed || isIP(bare) !== 0 ? bare : null;
}
