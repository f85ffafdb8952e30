import { Component, type ErrorInfo, type ReactNode } from 'react';

/** Exception thrown while rendering. */
export interface RenderFailure {
  readonly error: unknown;
  /** Component names, one per line, from the component that threw to the outermost one. */
  readonly componentStack: string;
}

interface FailureBoundaryProps {
  /** Content shown instead of the children after one of them has thrown an exception while rendering. */
  readonly fallback: (failure: RenderFailure, tryAgain: () => void) => ReactNode;
  readonly children: ReactNode;
}

interface FailureBoundaryState {
  readonly failure?: RenderFailure | undefined;
}

/** Error boundary for its children. It is a class because React supports error boundaries only as classes. */
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
