import type { FileToSave } from '../../shared/file-to-save.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { formatDay, formatHourMinute } from '../format/moments.ts';
import { useServices } from '../services.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { useTask } from '../use-task.ts';
import styles from './save-tools.module.css';

interface SaveToolsProps {
  /** Whose figures they are, for the names of the files. */
  readonly subject: string;
  readonly window: TimeWindow;
  /** Figures as CSV. */
  readonly csv: () => string;
  /** PNG in Base64; undefined while nothing is drawn. */
  readonly png: (() => string) | undefined;
}

/** Buttons that save what is shown: its figures, and its picture. */
export function SaveTools({ subject, window, csv, png }: SaveToolsProps) {
  const { api } = useServices();
  const { status, run, reset } = useTask<string | null>();
  const save = (make: () => FileToSave) => void run(async () => api.saveFile(make()));
  const isBusy = status?.phase === 'pending';
  const saved = status?.phase === 'done' ? status.value : null;
  const nameOf = (ending: string) =>
    `${subject} ${momentOf(window.from)} to ${momentOf(window.to)}.${ending}`;
  return (
    <>
      {saved !== null && (
        <span className={styles.saved} role="status" data-tip={saved}>
          Saved
        </span>
      )}
      <IconButton
        icon="import"
        name="Save figures as CSV…"
        label="CSV"
        isBusy={isBusy}
        onClick={() => save(() => ({ name: nameOf('csv'), content: csv(), encoding: 'utf8' }))}
      />
      <IconButton
        icon="import"
        name="Save picture as PNG…"
        label="PNG"
        isBusy={isBusy}
        disabled={png === undefined}
        onClick={() => save(() => ({ name: nameOf('png'), content: png?.() ?? '', encoding: 'base64' }))}
      />
      {status?.phase === 'failed' && (
        <ErrorNote error={status.error} server={subject} lead="Not saved" onDismiss={reset} />
      )}
    </>
  );
}

/** `2026-11-22 2041`, without the colon that some systems refuse in names. */
const momentOf = (at: number): string => `${formatDay(at)} ${formatHourMinute(at).replace(':', '')}`;
