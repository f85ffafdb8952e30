import { Component, type ErrorInfo, type ReactNode } from 'react';

/** An exception while something was drawn. */
export interface RenderFailure {
  readonly error: unknown;
  /** Components from the one that threw outwards, one per line. */
  readonly componentStack: string;
}

interface FailureBoundaryProps {
  /** What stands in the place of the children once they failed. */
  readonly fallback: (failure: RenderFailure, tryAgain: () => void) => ReactNode;
  readonly children: ReactNode;
}

interface FailureBoundaryState {
  readonly failure?: RenderFailure | undefined;
}

/** Keeps an exception of its children to them. A class, because React has no other form of it. */
export class FailureBoundary extends Component<FailureBoundaryProps, FailureBoundaryState> {
  override state: FailureBoundaryState = {};

  static getDerivedStateFromError(error: unknown): FailureBoundaryState {
    return { failure: { error, componentStack: '' } };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    this.setState({ failure: { error, componentStack: componentStack ?? '' } });
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return this.props.fallback(failure, () => this.setState({ failure: undefined }));
  }
}
