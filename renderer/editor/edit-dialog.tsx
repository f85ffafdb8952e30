import { useEffect } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { usePanel, useServices } from '../services.ts';
import { freeName } from '../entry/server-name.ts';
import { propose, startEditor } from './editor-state.ts';
import type { EditPlace } from '../store/manage-store.ts';
import type { RawEntry } from '../entry/raw-entry.ts';
import { useTask } from '../use-task.ts';
import { ServerDialog } from './server-dialog.tsx';

interface EditDialogProps {
  readonly server: string;
  /** Whether a copy is added while the server itself stays unchanged. */
  readonly isCopy: boolean;
  /** Field where the edit begins, and the value proposed for it. */
  readonly at?: EditPlace | undefined;
}

/** Dialog that reads the entry from the file, then edits it. */
export function EditDialog({ server, isCopy, at }: EditDialogProps) {
  const { manage } = useServices();
  const names = usePanel((state) => state.names);
  const { status, run } = useTask<RawEntry>();
  useEffect(() => {
    void run(async () => (await manage.api.getEntry(server)).entry);
  }, [run, manage, server]);
  const title = isCopy ? `Duplicate ${server}` : `Edit ${server}`;
  if (status?.phase !== 'done')
    return (
      <Dialog
        title={title}
        onClose={() => manage.close()}
        foot={<TextButton onClick={() => manage.close()}>Close</TextButton>}
      >
        {status?.phase === 'failed' ? (
          <ErrorNote error={status.error} server={server} lead="Could not read it" />
        ) : (
          <p>Reading servers.json…</p>
        )}
      </Dialog>
    );
  const entry = status.value;
  const start = isCopy
    ? { original: undefined, state: startEditor(freeName(server, names), entry) }
    : { original: { name: server, entry }, state: propose(startEditor(server, entry), at) };
  return <ServerDialog title={title} start={start} focus={at?.target} />;
}
