import { useEffect, useRef } from 'react';
import { useStore } from 'zustand/react';
import { toReport } from '../control-panel.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { useServices } from '../services.ts';
import type { DoneManageNote } from '../store/manage-store.ts';
import { letNoteEnd } from './note-end.ts';
import styles from './manage-note.module.css';

/** Note on the last change, with an undo button, or on its error. */
export function ManageNotice() {
  const { manage } = useServices();
  const note = useStore(manage.state, (state) => state.note);
  const dismiss = () => manage.setNote(undefined);
  if (note === undefined) return null;
  if (note.kind === 'failed')
    return (
      <div className={styles.error} role="alert">
        <ErrorNote
          error={note.error}
          server={note.server}
          lead={`${note.lead} ${note.server}`}
          onDismiss={dismiss}
        />
      </div>
    );
  return <DoneNote note={note} />;
}

function DoneNote({ note }: { readonly note: DoneManageNote }) {
  const { manage, clock, route, panel } = useServices();
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const isHeld = () => element.current?.matches(':hover, :focus-within') === true;
    return letNoteEnd({ clock, route, panel, isHeld, end: () => manage.setNote(undefined) });
  }, [note, manage, clock, route, panel]);
  const { words, undo, action } = note;
  return (
    <div ref={element} className={styles.note} role="status">
      <p className={styles.words}>{words}</p>
      {action !== undefined && <NextStep {...action} />}
      {undo !== undefined && <TextButton onClick={() => void undo()}>Undo</TextButton>}
      <IconButton
        icon="close"
        name="Dismiss the note"
        tip="Dismiss the note  Esc"
        onClick={() => manage.setNote(undefined)}
      />
    </div>
  );
}

/** Button for what may be done next. A failure becomes the note. */
function NextStep({ label, run }: NonNullable<DoneManageNote['action']>) {
  const { manage } = useServices();
  const take = () =>
    run().catch((reason: unknown) =>
      manage.setNote({ kind: 'failed', lead: label, server: '', error: toReport(reason) }),
    );
  return <TextButton onClick={() => void take()}>{label}</TextButton>;
}
