interface PublicPlace {
  /** As configured; empty where the service does not know its own address. */
  readonly publicUrl: string;
  /** The host that the customer's request named. */
  readonly host: string | undefined;
}

/** The link's secret stands behind `#`, which no browser sends: it is in no log, and no mail scanner's GET uses it up. */
export function linkTo(link: string, { publicUrl, host = "localhost" }: PublicPlace): string {
  const base = publicUrl === "" ? `http://${host}` : publicUrl;
  return `${base}/portal/open#${link}`;
}
