import type { oas31 } from "zod-openapi";
import { z } from "zod";
import { isRaw, type GoodAnswer, type Route } from "../http/routing/route.ts";
import { operationIdOf } from "./operation-id.ts";

type Links = Record<string, oas31.LinkObject>;
export type LinksOf<P> = (route: Route<P>, answer: GoodAnswer) => Links;

/** An object in a response, and the path of the collection that it belongs to. */
interface Owned extends Shown {
  readonly collection: string;
}

/** A parameter of a path, and the path before it. */
interface PathParameter {
  readonly name: string;
  readonly collection: string;
}

/**
 * Finds in the route table which operations take values from a response: a parameter takes the field of
 * its name, the id of an item of its collection, or a field with that id, such as `order_id`. A list that
 * may be empty links only to operations on its items.
 */
export function linksAmong<P>(routes: readonly Route<P>[]): LinksOf<P> {
  const targets = routes.filter(({ access }) => access !== "public");
  const items = targets.filter(({ method, path }) => method === "GET" && /:[a-z_]+$/.test(path));
  return (route, answer) => {
    if (route.access === "public" || answer === null || isRaw(answer)) return {};
    const owned = shownBy(answer).map((shown): Owned => {
      return { ...shown, collection: collectionOf(shown, route, items) };
    });
    const links = targets.flatMap((target) => {
      const parameters = parametersFor(route, target, owned);
      return parameters === null ? [] : [linkTo(target, parameters)];
    });
    return Object.fromEntries(links);
  };
}

function linkTo<P>(
  target: Route<P>,
  parameters: Record<string, string>,
): [string, oas31.LinkObject] {
  const operationId = operationIdOf(target);
  return [operationId, { operationId, parameters }];
}

/** The collection whose items have the same schema or whose name is the list's; else the route's own. */
function collectionOf<P>(
  { schema, list }: Shown,
  route: Route<P>,
  items: readonly Route<P>[],
): string {
  const item = items.find(
    ({ path, answers }) =>
      answers[200] === schema || (list !== null && beforeItem(path).endsWith(`/${list}`)),
  );
  if (item === undefined && list !== null) return "";
  return beforeItem((item ?? route).path);
}

/** `/things/:id` and `/things` → `/things`. */
function beforeItem(path: string): string {
  return path.replace(/\/:[a-z_]+$/, "");
}

function pathParametersOf(path: string): PathParameter[] {
  return [...path.matchAll(/\/:([a-z_]+)/g)].map(({ 1: name = "", index }) => {
    return { name, collection: path.slice(0, index) };
  });
}

/** Null if the target takes nothing from the response. */
function parametersFor<P>(
  route: Route<P>,
  target: Route<P>,
  owned: readonly Owned[],
): Record<string, string> | null {
  const found: Record<string, string> = {};
  for (const parameter of pathParametersOf(target.path)) {
    const expression = expressionOf(parameter, owned) ?? requestedAs(parameter, route);
    if (expression === null) return null;
    found[`path.${parameter.name}`] = expression;
  }
  const names = target.method === "GET" ? Object.keys(target.query?.shape ?? {}) : [];
  for (const name of names.filter((one) => one.endsWith("_id"))) {
    const expression = idExpression(name, owned);
    if (expression !== null) found[`query.${name}`] = expression;
  }
  return Object.values(found).some((one) => one.startsWith("$response")) ? found : null;
}

/** The route's own parameter, if the target is below the same resource. */
function requestedAs<P>({ name, collection }: PathParameter, { path }: Route<P>): string | null {
  return `${path}/`.startsWith(`${collection}/:${name}/`) ? `$request.path.${name}` : null;
}

function expressionOf({ name, collection }: PathParameter, owned: readonly Owned[]): string | null {
  const own = owned.find((one) => one.collection === collection && one.fields.has("id"));
  if (own !== undefined) return `$response.body#${own.at}/id`;
  const named = owned.find(
    (one) => name !== "id" && one.fields.has(name) && (one.isSure || one.collection === collection),
  );
  if (named !== undefined) return `$response.body#${named.at}/${name}`;
  return idExpression(name === "id" ? idNameOf(collection) : name, owned);
}

/** The field with an id such as `porting_order_id`, which may be shortened to `order_id`. */
function idExpression(idName: string, owned: readonly Owned[]): string | null {
  for (const { at, fields, collection } of owned.filter(({ isSure }) => isSure)) {
    if (fields.has("id") && idNameOf(collection) === idName) return `$response.body#${at}/id`;
    const field = [...fields].find(
      (one) => one === idName || (one !== "id" && idName.endsWith(`_${one}`)),
    );
    if (field !== undefined) return `$response.body#${at}/${field}`;
  }
  return null;
}

/** `/v2/porting_orders` → `porting_order_id`. */
function idNameOf(collection: string): string {
  const last = collection.slice(collection.lastIndexOf("/") + 1);
  return `${last.replace(/ies$/, "y").replace(/s$/, "")}_id`;
}

/** An object in a response, such as the first item of a list. */
interface Shown {
  readonly schema: z.ZodType;
  /** A JSON pointer to it in the body. */
  readonly at: string;
  /** The fields that are never null. */
  readonly fields: ReadonlySet<string>;
  /** The name of its list; null for the response itself and for the items of a page. */
  readonly list: string | null;
  /** False if the list may be empty. */
  readonly isSure: boolean;
}

type Place = Pick<Shown, "at" | "list" | "isSure">;

/** The response object, the first item of a page, and the first item of each list in either. */
function shownBy(answer: z.ZodType): Shown[] {
  if (!(answer instanceof z.ZodObject)) return [];
  const place = { at: "", list: null, isSure: true };
  return [shown(answer, place), ...firstOfLists(answer, place)];
}

function firstOfLists(object: z.ZodObject, { at, isSure }: Place): Shown[] {
  return Object.entries(object.shape).flatMap(([name, list]) => {
    if (!(list instanceof z.ZodArray) || !(list.element instanceof z.ZodObject)) return [];
    const isFilled = isSure && !list.safeParse([]).success;
    const place = { at: `${at}/${name}/0`, list: name === "data" ? null : name, isSure: isFilled };
    const inner = name === "data" ? firstOfLists(list.element, place) : [];
    return [shown(list.element, place), ...inner];
  });
}

function shown(schema: z.ZodObject, place: Place): Shown {
  const sure = Object.entries(schema.shape).filter(
    ([, field]) => !z.safeParse(field, null).success,
  );
  return { schema, fields: new Set(sure.map(([name]) => name)), ...place };
}
