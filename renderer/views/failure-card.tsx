import { type ReactNode, useEffect, useState } from 'react';
import { useServices } from '../services.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { FailureBoundary, type RenderFailure } from '../ui/failure-boundary.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { messageOf } from '../../shared/message-of.ts';

interface FailureCardProps {
  readonly failure: RenderFailure;
  /** Name of the failed part, for example "the view Usage". */
  readonly subject: string;
  /** Text that says what still works. */
  readonly comfort?: string;
  readonly action: string;
  readonly onAction: () => void;
}

/** Card shown instead of a failed part of the app window: the error, and an action. */
export function FailureCard({
  failure,
  subject,
  comfort = 'The servers keep running, and so does the rest of the window.',
  action,
  onAction,
}: FailureCardProps) {
  const report = useReport(failure, subject);
  return (
    <section
      className="card flex flex-col gap-12 max-w-560 m-16 p-16 border-l-3 border-l-failed wrap-anywhere"
      role="alert"
      aria-label={`Could not show ${subject}`}
    >
      <h2 className="text-16/24 font-semibold">The panel could not show {subject}</h2>
      <p>This is an error of the panel itself. {comfort}</p>
      <div className="flex items-center flex-wrap gap-8">
        <TextButton onClick={onAction}>{action}</TextButton>
        {report !== undefined && <CopyButton text={report} name="Copy report" label="Copy report" />}
      </div>
    </section>
  );
}

/** Returns a failure report that the user can copy; undefined until the main process has redacted the secrets in it. */
function useReport({ error, componentStack }: RenderFailure, subject: string): string | undefined {
  const { api, panel } = useServices();
  const [report, setReport] = useState<string>();
  useEffect(() => {
    let isWanted = true;
    const { appVersion } = panel.getState();
    const text = failureReport({ subject, error, componentStack, appVersion, platform: navigator.userAgent });
    const receive = (redacted: string) => {
      if (isWanted) setReport(redacted);
    };
    api.redactReport(text).then(receive, () => undefined);
    return () => {
      isWanted = false;
    };
  }, [api, panel, subject, error, componentStack]);
  return report;
}

/** Maximum number of characters of a report that the main process accepts. */
const LONGEST = 20_000;

interface FailureReport {
  /** Part of the app window that could not be shown, for example "the view Usage". */
  readonly subject: string;
  readonly error: unknown;
  readonly componentStack: string;
  readonly appVersion: string;
  /** Operating system, as named by the browser. */
  readonly platform: string;
}

/** Text for a bug report about the app window. The main process must redact it, as an error's message may contain secrets. */
export function failureReport({
  subject,
  error,
  componentStack,
  appVersion,
  platform,
}: FailureReport): string {
  const lines = [
    `MCP Control Panel ${appVersion} could not show ${subject}.`,
    platform,
    '',
    messageOf(error),
    ...componentStack.split('\n').filter((line) => line.trim() !== ''),
  ];
  return lines.join('\n').slice(0, LONGEST);
}

interface ContainedProps {
  /** Name of the content in messages, for example "the view Usage". */
  readonly subject: string;
  readonly children: ReactNode;
}

/** Error boundary for a part of the app window: the rest continues to work. A new React key renders the part anew. */
export const Contained = ({ subject, children }: ContainedProps) => (
  <FailureBoundary
    fallback={(failure, tryAgain) => (
      <FailureCard failure={failure} subject={subject} action="Try again" onAction={tryAgain} />
    )}
  >
    {children}
  </FailureBoundary>
);
