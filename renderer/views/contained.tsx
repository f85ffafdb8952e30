import type { ReactNode } from 'react';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { FailureCard } from './failure-card.tsx';

interface ContainedProps {
  /** What stands inside: "the view Usage". */
  readonly subject: string;
  readonly children: ReactNode;
}

/** A part of the window that can fail without taking the rest along. With another key it is tried anew. */
export const Contained = ({ subject, children }: ContainedProps) => (
  <FailureBoundary
    fallback={(failure, tryAgain) => (
      <FailureCard failure={failure} subject={subject} action="Try again" onAction={tryAgain} />
    )}
  >
    {children}
  </FailureBoundary>
);
