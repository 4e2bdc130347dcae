import type { oas31 } from "zod-openapi";
import { singular, type Route } from "../http/routing/route.ts";

/** What a reference to a schema of an OpenAPI document begins with; the component's name follows. */
export const COMPONENT = "#/components/schemas/";

type Named<P> = Pick<Route<P>, "method" | "path" | "operationId">;

const ITEM_VERBS = {
  GET: "get",
  POST: "do",
  PUT: "set",
  PATCH: "update",
  DELETE: "delete",
} as const;

/**
 * The name of an operation in generated clients: the route's own, else one from method and path: `GET /v2/things/:id` →
 * `getThing`, `POST /v2/things/:id/rotate_secret` → `rotateThingSecret`.
 */
export function operationIdOf<P>({ method, path, operationId }: Named<P>): string {
  if (operationId !== undefined) return operationId;
  const steps = path
    .replace(/^(\/[a-z]+)?\/v\d+/, "")
    .split("/")
    .slice(1);
  const last = steps.at(-1) ?? "";
  const owners = steps.slice(0, -1).flatMap((step, n) => nounsOf(step, steps[n + 1] ?? ""));
  if (isParameter(last)) return camel([ITEM_VERBS[method], ...owners]);
  const isPlural = singular(last) !== last;
  if (method === "GET") return camel([isPlural ? "list" : "get", ...owners, last]);
  if (method === "DELETE") return camel(["delete", ...owners, singular(last)]);
  if (isPlural || owners.length === 0) return camel(["create", ...owners, singular(last)]);
  const [verb = "", ...rest] = last.split("_");
  return camel([verb, ...owners, ...rest]);
}

function isParameter(step: string): boolean {
  return step.startsWith(":");
}

/** A collection is singular where one of its items follows. */
function nounsOf(step: string, next: string): string[] {
  if (isParameter(step)) return [];
  return [isParameter(next) ? singular(step) : step];
}

function camel(parts: readonly string[]): string {
  const [first = "", ...rest] = parts.flatMap((part) => part.split(/[^a-z0-9]+/i));
  return [first, ...rest.map(capitalized)].join("");
}

/** `signLoa` → `SignLoa`. */
export function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** The operations of all paths. */
export function operationsOf({ paths = {} }: oas31.OpenAPIObject): oas31.OperationObject[] {
  return Object.values(paths)
    .flatMap(({ get, post, put, patch, delete: remove }) => [get, post, put, patch, remove])
    .filter((operation) => operation !== undefined);
}

/** The responses of an operation. */
export function responsesOf({ responses = {} }: oas31.OperationObject): oas31.ResponseObject[] {
  return Object.values<oas31.ResponseObject>(responses);
}
