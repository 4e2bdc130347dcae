import type { DeskRoute } from "../../../services/desk/access/desk-routes.ts";
import type { DeskDeps } from "../../../services/desk/desk-deps.ts";
import { deskRoutes, sandboxRoutes } from "../../../services/desk/routes.ts";

/** Routes are plain data; until a step of one runs, nothing of what it is given is used. */
const nothing: object = new Proxy(() => nothing, { get: () => nothing, apply: () => nothing });
export const unusedDeps = nothing as DeskDeps;

/** The desk's routes and the sandbox's, without what they run on. */
export function everyDeskRoute(): DeskRoute[] {
  return [...deskRoutes(unusedDeps), ...sandboxRoutes(unusedDeps)];
}
