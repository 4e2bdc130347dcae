import { Component, Suspense, type ReactNode } from "react";
import { useLocation } from "wouter";
import { Failure, Skeleton } from "./states.tsx";

interface BoundaryProps {
  /** The page's path: another page is tried afresh. */
  readonly path: string;
  readonly children: ReactNode;
}

interface BoundaryState {
  readonly error: unknown;
}

const FINE: BoundaryState = { error: null };

class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state = FINE;

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { error };
  }

  override componentDidUpdate({ path }: BoundaryProps): void {
    if (path !== this.props.path && this.state.error !== null) this.setState(FINE);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <Failure error={error} onRetry={() => window.location.reload()} />;
  }
}

/**
 * The place of a page: a skeleton while its code is fetched, and why it failed, where an empty window would be left,
 * because its code may be that of an older version.
 */
export function PagePlace({ children }: { readonly children: ReactNode }) {
  const [path] = useLocation();
  return (
    <Boundary path={path}>
      <Suspense fallback={<Skeleton />}>{children}</Suspense>
    </Boundary>
  );
}
