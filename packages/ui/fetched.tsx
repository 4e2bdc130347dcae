import { lazy, useEffect, useState, type ComponentType } from "react";

type Load<Props> = () => Promise<{ readonly default: ComponentType<Props> }>;

/** A screen whose code is no part of the entry, so that the first one comes soon. */
export interface Fetched<Props> {
  /** Fetches the code, unless that has come. */
  readonly load: Load<Props>;
  readonly Component: ComponentType<Props>;
}

/** Once its code has come, a screen is shown without React's fallback, which stays for 300 ms. */
export function fetched<Props extends object>(load: Load<Props>): Fetched<Props> {
  let come: ComponentType<Props> | null = null;
  const keep: Load<Props> = async () => {
    const module = await load();
    come = module.default;
    return module;
  };
  const Coming = lazy(keep);
  const Component = (props: Props) => {
    const [Shown] = useState<ComponentType<Props>>(() => come ?? Coming);
    return <Shown {...props} />;
  };
  return { load: keep, Component };
}

/** After the first screen has most of what it asks for. */
const REST_MS = 1_000;

interface Loading {
  readonly load: () => Promise<unknown>;
}

/**
 * Fetches the code of other screens while the first one is read, one after the other, so that each opens at once.
 * `screens` is the same list at every rendering.
 */
export function useFetchedAhead(screens: readonly Loading[]): void {
  useEffect(() => {
    let isOver = false;
    const fetchAll = async (): Promise<void> => {
      for (const { load } of screens) {
        if (isOver) return;
        // What fails here is fetched again, and reported, when the screen is shown.
        await load().catch(() => undefined);
      }
    };
    const timer = setTimeout(() => void fetchAll(), REST_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [screens]);
}
