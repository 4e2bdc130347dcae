import type { QueryClient, QueryFilters } from "@tanstack/react-query";

/**
 * Fetches again what is on the page. What is being fetched lands first and is fetched once more after that, so that
 * hints that come faster than answers never keep a list from being shown.
 */
export async function fetchAgain(client: QueryClient, filters: QueryFilters): Promise<void> {
  const underway = client.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" });
  await client.invalidateQueries(filters, { cancelRefetch: false });
  await Promise.all(
    underway.map(({ queryKey }) =>
      client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false }),
    ),
  );
}
