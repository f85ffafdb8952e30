import type { ReactNode } from 'react';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { FailureCard } from './failure-card.tsx';

interface ContainedProps {
  /** Name of the content in messages: "the view Usage". */
  readonly subject: string;
  readonly children: ReactNode;
}

/** Error boundary of a part of the app window, so that the rest goes on. A new key tries the part again. */
export const Contained = ({ subject, children }: ContainedProps) => (
  <FailureBoundary
    fallback={(failure, tryAgain) => (
      <FailureCard failure={failure} subject={subject} action="Try again" onAction={tryAgain} />
    )}
  >
    {children}
  </FailureBoundary>
);
