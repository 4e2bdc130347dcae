import { Component, type ReactNode } from "react";
import { Failure } from "./states.tsx";

interface CaughtProps {
  /** The page's path: another page is tried afresh. */
  readonly path: string;
  readonly children: ReactNode;
}

interface CaughtState {
  readonly error: unknown;
}

const FINE: CaughtState = { error: null };

/** Shows why a page failed in its place, where an empty window would be left: its code may be that of an older version. */
export class Caught extends Component<CaughtProps, CaughtState> {
  override state = FINE;

  static getDerivedStateFromError(error: unknown): CaughtState {
    return { error };
  }

  override componentDidUpdate({ path }: CaughtProps): void {
    if (path !== this.props.path && this.state.error !== null) this.setState(FINE);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <Failure error={error} onRetry={() => window.location.reload()} />;
  }
}
