import type { Ajv2020 } from "ajv/dist/2020.js";

/** The formats that the OpenAPI documents use. */
export function addFormats(ajv: Ajv2020): void {
  ajv.addFormat("uuid", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/);
  ajv.addFormat("uri", true);
  ajv.addFormat("binary", true);
  ajv.addFormat("base64", true);
}

/** A step of a JSON pointer in a URL's fragment. */
export function encodeStep(step: string): string {
  return encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"));
}
