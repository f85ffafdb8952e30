import { useEffect, useState } from 'react';
import { failureReport } from '../format/failure-report.ts';
import { useServices } from '../services.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import type { RenderFailure } from '../ui/failure-boundary.tsx';
import { TextButton } from '../ui/text-button.tsx';
import styles from './failure-card.module.css';

interface FailureCardProps {
  readonly failure: RenderFailure;
  /** What could not be shown: "the view Usage". */
  readonly subject: string;
  /** What goes on all the same. */
  readonly comfort?: string;
  readonly action: string;
  readonly onAction: () => void;
}

/** Stands in the place of a part of the window that failed: what it was, and the way on. */
export function FailureCard({
  failure,
  subject,
  comfort = 'The servers go on, and so does the rest of the window.',
  action,
  onAction,
}: FailureCardProps) {
  const report = useReport(failure, subject);
  return (
    <section className={styles.card} role="alert" aria-label={`Could not show ${subject}`}>
      <h2 className={styles.title}>The panel could not show {subject}</h2>
      <p>This is a fault of the panel itself. {comfort}</p>
      <div className={styles.actions}>
        <TextButton onClick={onAction}>{action}</TextButton>
        {report !== undefined && <CopyButton text={report} name="Copy report" label="Copy report" />}
      </div>
    </section>
  );
}

/** The report as it may be handed on; undefined until the main process has looked for secrets in it. */
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
