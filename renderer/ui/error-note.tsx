import type { ErrorReport } from '../../shared/error-codes.ts';
import { errorAsText } from '../format/error-words.ts';
import { toPlainText } from '../format/plain-text.ts';
import { CopyButton } from './copy-button.tsx';
import { IconButton } from './icon-button.tsx';
import styles from './error-note.module.css';

interface ErrorNoteProps {
  readonly error: ErrorReport;
  /** Whose error it is, for the copied text. */
  readonly server: string;
  /** What did not work, before the message: "Could not start". */
  readonly lead?: string;
  /** The message stands beside it already; what is left is what to do. */
  readonly isTold?: boolean;
  /** It is over; told more quietly. */
  readonly isPast?: boolean;
  /** Where more of it is told. */
  readonly more?: { readonly href: string; readonly label: string };
  /** Shows what the server wrote about it, too. */
  readonly hasLines?: boolean;
  readonly onDismiss?: () => void;
}

/** Nothing where the message is all that was written. */
function CauseLines({ error: { message, causeLines = [] } }: { readonly error: ErrorReport }) {
  const isAllToldAbove = causeLines.length === 1 && message.startsWith(causeLines[0]!);
  if (causeLines.length === 0 || isAllToldAbove) return null;
  return (
    <pre className={styles.lines} aria-label="From stderr">
      {causeLines.map(toPlainText).join('\n')}
    </pre>
  );
}

/** An error where it happened: what, why, what to do; can be copied. */
export function ErrorNote({
  error,
  server,
  lead,
  isTold = false,
  isPast = false,
  more,
  hasLines = false,
  onDismiss,
}: ErrorNoteProps) {
  return (
    <div className={isPast ? styles.past : styles.note}>
      <div className={styles.text}>
        <p className={styles.words}>
          {isTold ? (
            (error.remedy ?? 'Its logs may tell more.')
          ) : (
            <>
              {lead !== undefined && <strong>{lead}: </strong>}
              {error.message}
              {error.remedy !== undefined && <span className={styles.remedy}>{error.remedy}</span>}
            </>
          )}
        </p>
        {hasLines && <CauseLines error={error} />}
      </div>
      {more !== undefined && (
        <a className={styles.more} href={more.href}>
          {more.label}
        </a>
      )}
      <code className={styles.code}>{error.code}</code>
      <span className={styles.tools}>
        <CopyButton name="Copy the error" text={errorAsText(error, server)} />
        {onDismiss !== undefined && <IconButton icon="close" name="Dismiss the error" onClick={onDismiss} />}
      </span>
    </div>
  );
}
