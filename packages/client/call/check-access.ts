/** The address without a slash at its end. @throws TypeError if it cannot be called */
export function checkedBaseUrl(url: string): string {
  if (!isHttpUrl(url)) {
    throw new TypeError("baseUrl is not an http or https URL without a user name and password.");
  }
  return withoutSlash(url);
}

export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

/** Its text is never in the error. @throws TypeError if no header can carry it */
export function checkedApiKey(key: string): string {
  if (!isHeaderWord(key)) throw new TypeError("apiKey is not an API key: it has other characters.");
  return key;
}

/** Whether `fetch` can call it, which it does not with a user name and password in the URL. */
export function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

/** Whether it has visible ASCII characters alone. */
export function isHeaderWord(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}
