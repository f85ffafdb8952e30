import type { ReactNode } from 'react';
import type { FileToSave } from '../../shared/file-to-save.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import styles from './span-bar.module.css';
import type { Saving } from './use-saving.ts';

interface SaveToolsProps {
  readonly saving: Saving;
  /** Whose figures they are. */
  readonly subject: string;
  /** Figures as they are now. */
  readonly csv: () => FileToSave;
  /** Picture as of now; undefined while nothing is drawn. */
  readonly png: (() => FileToSave) | undefined;
  /** Buttons before these. */
  readonly children?: ReactNode;
}

/** Buttons that save what is shown, its figures and its picture, and what became of it. */
export function SaveTools({ saving, subject, csv, png, children }: SaveToolsProps) {
  const { status, save, reset } = saving;
  const isBusy = status?.phase === 'pending';
  const savedAs = status?.phase === 'done' ? status.value : null;
  return (
    <>
      {savedAs !== null && (
        <span className={styles.points} role="status" data-tip={savedAs}>
          Saved
        </span>
      )}
      <div className={styles.steps}>
        {children}
        <IconButton
          icon="import"
          name="Save figures as CSV…"
          label="CSV"
          isBusy={isBusy}
          onClick={() => save(csv)}
        />
        <IconButton
          icon="import"
          name="Save picture as PNG…"
          label="PNG"
          isBusy={isBusy}
          disabled={png === undefined}
          onClick={() => png && save(png)}
        />
      </div>
      {status?.phase === 'failed' && (
        <ErrorNote error={status.error} server={subject} lead="Not saved" onDismiss={reset} />
      )}
    </>
  );
}
