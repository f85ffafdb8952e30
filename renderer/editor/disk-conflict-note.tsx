import { Icon } from '../ui/icon.tsx';
import { TextButton } from '../ui/text-button.tsx';
import type { ServerEditor } from './use-server-editor.ts';

interface DiskConflictNoteProps {
  readonly editor: ServerEditor;
  /** Closes the editor; used if the entry no longer exists on disk. */
  readonly onClose: () => void;
}

// The note stays in view wherever the form is scrolled to, because saving waits for it.
const noteLook =
  'sticky -top-4 z-2 flex flex-wrap items-center gap-x-8 gap-y-6 py-6 pr-6 pl-8 border-l-2 border-suspect rounded-r-md';

/** Note on a change of the entry on disk during the edit, with the choice that must be made before saving. */
export function DiskConflictNote({ editor, onClose }: DiskConflictNoteProps) {
  const { conflict, keepMine, loadFromDisk } = editor;
  if (conflict === undefined) return null;
  const isGone = conflict.onDisk === undefined;
  return (
    <div
      className={`${noteLook} bg-[color-mix(in_srgb,var(--state-suspect)_12%,var(--ground))]`}
      role="alert"
    >
      <span className="flex flex-none text-suspect">
        <Icon name="warning" />
      </span>
      <p className="flex-[1_1_260px] wrap-anywhere">
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
