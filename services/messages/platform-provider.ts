/** One version of an order's request to its carrier. */
export interface OrderVersion {
  readonly order_id: string;
  readonly request_version: number;
}

const REF = /^(?<order>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(?<version>[1-9]\d{0,8})$/;

/** The reference of the port-out that an order at provider `platform` becomes: it names the order. */
export function platformPortOutRef({ order_id, request_version }: OrderVersion): string {
  return `${order_id}/${request_version}`;
}

/** Null for a reference that platform-carrier did not make. */
export function readPlatformPortOutRef(text: string): OrderVersion | null {
  const { order, version } = REF.exec(text)?.groups ?? {};
  return order === undefined ? null : { order_id: order, request_version: Number(version) };
}

/** The provider of orders for numbers that another account of the platform holds: the service platform-carrier. */
export const PLATFORM_PROVIDER = "platform";
