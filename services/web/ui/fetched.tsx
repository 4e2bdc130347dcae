import { lazy, useState, type ComponentType } from "react";

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
