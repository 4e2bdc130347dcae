// Made from schemas/carrier-task.avsc by `npm run messages`; do not edit.
import type { AvroRecordSchema } from "../../platform/avro/schema.ts";

/** What a carrier is asked to do. */
export type CarrierRequestKind =
  | "unrecognized"
  | "submit"
  | "supplement"
  | "cancel"
  | "activate"
  | "port_out_decision"
  | "apply_forwarding";

/** A request that carrier-adapter is to make; it carries no values, these are read when it is made. Topic porting.carrier-requests, keyed by order id, for forwarding and port-outs by phone number. */
export interface CarrierTask {
  /** Id of the request; the same when it is sent again. */
  readonly request_id: string;
  /** What the carrier is asked to do. */
  readonly kind: CarrierRequestKind;
  /** Provider that is to be asked. */
  readonly provider: string;
  /** Order concerned; set for submit, supplement, cancel and activate. */
  readonly order_id: string | null;
  /** Version of the order's request: 1 for submit, one more for every supplement, the current one for the others. */
  readonly request_version: number | null;
  /** Port-out concerned; set for port_out_decision. */
  readonly port_out_id: string | null;
  /** Number concerned, in E.164; set for apply_forwarding and port_out_decision. */
  readonly phone_number: string | null;
}

export const CARRIER_TASK_TEXT = `{
  "type": "record",
  "name": "CarrierTask",
  "namespace": "numberporting",
  "doc": "A request that carrier-adapter is to make; it carries no values, these are read when it is made. Topic porting.carrier-requests, keyed by order id, for forwarding and port-outs by phone number.",
  "fields": [
    { "name": "request_id", "type": "string", "doc": "Id of the request; the same when it is sent again." },
    {
      "name": "kind",
      "type": {
        "type": "enum",
        "name": "CarrierRequestKind",
        "doc": "What a carrier is asked to do.",
        "symbols": [
          "unrecognized",
          "submit",
          "supplement",
          "cancel",
          "activate",
          "port_out_decision",
          "apply_forwarding"
        ],
        "default": "unrecognized"
      },
      "doc": "What the carrier is asked to do."
    },
    { "name": "provider", "type": "string", "doc": "Provider that is to be asked." },
    {
      "name": "order_id",
      "type": ["null", "string"],
      "default": null,
      "doc": "Order concerned; set for submit, supplement, cancel and activate."
    },
    {
      "name": "request_version",
      "type": ["null", "int"],
      "default": null,
      "doc": "Version of the order's request: 1 for submit, one more for every supplement, the current one for the others."
    },
    {
      "name": "port_out_id",
      "type": ["null", "string"],
      "default": null,
      "doc": "Port-out concerned; set for port_out_decision."
    },
    {
      "name": "phone_number",
      "type": ["null", "string"],
      "default": null,
      "doc": "Number concerned, in E.164; set for apply_forwarding and port_out_decision."
    }
  ]
}
`;

export const CARRIER_TASK_SCHEMA = JSON.parse(CARRIER_TASK_TEXT) as AvroRecordSchema;
