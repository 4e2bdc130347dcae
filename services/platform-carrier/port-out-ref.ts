/** One version of an order's request to its carrier. */
export interface OrderVersion {
  readonly order_id: string;
  readonly request_version: number;
}

const REF = /^(?<order>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/(?<version>[1-9]\d{0,8})$/;

/** Names the order that a port-out is for, so that its decision finds the way back without a table. */
export function portOutRefOf({ order_id, request_version }: OrderVersion): string {
  return `${order_id}/${request_version}`;
}

/** Null for a reference that this service did not make. */
export function readPortOutRef(text: string): OrderVersion | null {
  const { order, version } = REF.exec(text)?.groups ?? {};
  return order === undefined ? null : { order_id: order, request_version: Number(version) };
}
