/** The settings of a connection that plans each of its statements once: a plan for every call may take longer than the call. */
export const PLANNED_ONCE = ["plan_cache_mode=force_generic_plan"] as const;

/**
 * The settings of a connection whose statements find all rows by their keys: a plan that was made while a table was nearly
 * empty is kept until the next analysis, and must be the right one for a full one too. A sort would read all rows for a page
 * of them, a materialized table would be passed for each row of the other, and workers would take the cores for 20 rows.
 */
export const LOOKUPS_BY_KEY = [
  "enable_seqscan=off",
  "enable_bitmapscan=off",
  "enable_hashjoin=off",
  "enable_mergejoin=off",
  "enable_sort=off",
  "enable_material=off",
  "max_parallel_workers_per_gather=0",
  ...PLANNED_ONCE,
] as const;
