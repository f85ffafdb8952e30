import type { ErrorReport } from '../../shared/error-codes.ts';
import { errorAsText } from '../format/error-words.ts';
import { toPlainText } from '../format/plain-text.ts';
import { CopyButton } from './copy-button.tsx';
import { IconButton } from './icon-button.tsx';

interface ErrorNoteProps {
  readonly error: ErrorReport;
  /** Name of the server that the error is about. The text that the user can copy contains it. */
  readonly server: string;
  /** Start of the sentence, which names the failed action, for example "Could not start". */
  readonly lead?: string;
  /** Whether the error message is already shown beside the note, so that the note shows only the remedy. */
  readonly isTold?: boolean;
  /** Whether the error has ended, and is therefore shown less prominently. */
  readonly isPast?: boolean;
  /** Link to further information about the error. */
  readonly more?: { readonly href: string; readonly label: string };
  /** Whether the server's output about the error is also shown. */
  readonly hasLines?: boolean;
  readonly onDismiss?: () => void;
}

/** Server output that shows the cause of the error. Renders nothing if it is a single line that the message already contains. */
function CauseLines({ error: { message, causeLines = [] } }: { readonly error: ErrorReport }) {
  const isAllToldAbove = causeLines.length === 1 && message.startsWith(causeLines[0]!);
  if (causeLines.length === 0 || isAllToldAbove) return null;
  return (
    <pre className="mt-4 text-dim" aria-label="From stderr">
      {causeLines.map(toPlainText).join('\n')}
    </pre>
  );
}

const looks = {
  now: 'border-failed bg-[color-mix(in_srgb,var(--state-failed)_7%,var(--ground))]',
  past: 'border-strong-line bg-sunken',
};

/** Error shown at the place where it happened: what failed, why, and what to do. The user can copy it. */
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
    <div
      className={`flex items-start gap-12 py-6 pr-6 pl-12 border-l-2 rounded-r-md ${looks[isPast ? 'past' : 'now']}`}
    >
      <div className="min-w-0 flex-1 py-4 wrap-anywhere select-text">
        <p>
          {isTold ? (
            (error.remedy ?? 'Its logs may tell more.')
          ) : (
            <>
              {lead !== undefined && <strong>{lead}: </strong>}
              {error.message}
              {error.remedy !== undefined && <span className="block text-dim">{error.remedy}</span>}
            </>
          )}
        </p>
        {hasLines && <CauseLines error={error} />}
      </div>
      {more !== undefined && (
        <a className="py-4 whitespace-nowrap quiet-link" href={more.href}>
          {more.label}
        </a>
      )}
      <code className="py-4 text-12/16 text-dim">{error.code}</code>
      <span className="flex flex-none">
        <CopyButton name="Copy the error" text={errorAsText(error, server)} />
        {onDismiss !== undefined && <IconButton icon="close" name="Dismiss the error" onClick={onDismiss} />}
      </span>
    </div>
  );
}

interface FailedNoteProps extends Omit<ErrorNoteProps, 'error'> {
  /** Status of the last run of the task; undefined before the first run. */
  readonly status:
    | { readonly phase: 'failed'; readonly error: ErrorReport }
    | { readonly phase: 'pending' | 'done' }
    | undefined;
}

/** Error of a task whose last run failed. Renders nothing otherwise. */
export const FailedNote = ({ status, ...note }: FailedNoteProps) =>
  status?.phase === 'failed' && <ErrorNote {...note} error={status.error} />;

/** The same error note in a table, as a row below the row that the task belongs to. */
export const FailedRow = ({ columns, ...note }: FailedNoteProps & { readonly columns: number }) =>
  note.status?.phase === 'failed' && (
    <tr>
      <td colSpan={columns}>
        <FailedNote {...note} />
      </td>
    </tr>
  );
