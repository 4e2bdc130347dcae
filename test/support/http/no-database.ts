import { DividedPool } from "../../../services/platform/db/pool.ts";

/** For an app whose routes ask nothing of a database. */
export const noDatabase = new DividedPool();
