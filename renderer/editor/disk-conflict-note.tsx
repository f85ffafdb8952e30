import { Icon } from '../ui/icon.tsx';
import { TextButton } from '../ui/text-button.tsx';
import type { ServerEditor } from './use-server-editor.ts';
import styles from './disk-conflict-note.module.css';

interface DiskConflictNoteProps {
  readonly editor: ServerEditor;
  /** Closes the editor; used if the entry no longer exists on disk. */
  readonly onClose: () => void;
}

/** Note on a change of the entry on disk during the edit, with the choice that must be made before saving. */
export function DiskConflictNote({ editor, onClose }: DiskConflictNoteProps) {
  const { conflict, keepMine, loadFromDisk } = editor;
  if (conflict === undefined) return null;
  const isGone = conflict.onDisk === undefined;
  return (
    <div className={`${styles.note} flex items-center flex-wrap`} role="alert">
      <Icon name="warning" />
      <p className={styles.words}>
        {isGone
          ? 'This server was removed from servers.json while you edited it.'
          : `This server was changed on disk while you edited it: ${conflict.changed.join(', ')}.`}
      </p>
      <TextButton onClick={isGone ? onClose : loadFromDisk}>
        {isGone ? 'Discard mine' : 'Load what is on disk'}
      </TextButton>
      <TextButton onClick={keepMine}>Keep mine</TextButton>
    </div>
  );
}
