/** The account behind a request's API key; a key gives full access to its account. */
export interface AccountPrincipal {
  readonly accountId: string;
  readonly keyId: string;
  readonly suspended: boolean;
}
