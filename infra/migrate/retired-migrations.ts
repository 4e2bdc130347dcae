/** Migrations that databases of earlier versions have run and that exist no more; each with what took its place. */
export const RETIRED_MIGRATIONS: readonly string[] = [
  // 0077-desk-order-search has its index, 0086-repaired-migrations drops its own.
  "QueueSearch1700000000074",
];
