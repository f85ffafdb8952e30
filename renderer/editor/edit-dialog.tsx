import { useEffect, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { toReport } from '../control-panel.ts';
import { usePanel, useServices } from '../services.ts';
import { freeName } from '../entry/server-name.ts';
import { startEditor } from './editor-state.ts';
import type { RawEntry } from '../entry/raw-entry.ts';
import { ServerDialog } from './server-dialog.tsx';

interface EditDialogProps {
  readonly server: string;
  /** A copy is added, and the server itself stays as it is. */
  readonly isCopy: boolean;
}

/** Fetches the entry as it stands in the file, then edits it. */
export function EditDialog({ server, isCopy }: EditDialogProps) {
  const { manage } = useServices();
  const names = usePanel((state) => state.names);
  const [entry, setEntry] = useState<RawEntry>();
  const [error, setError] = useState<ErrorReport>();
  useEffect(() => {
    let isCurrent = true;
    manage.api.getEntry(server).then(
      (found) => isCurrent && setEntry(found.entry),
      (reason: unknown) => isCurrent && setError(toReport(reason)),
    );
    return () => {
      isCurrent = false;
    };
  }, [manage, server]);
  const title = isCopy ? `Duplicate ${server}` : `Edit ${server}`;
  if (entry === undefined)
    return (
      <Dialog
        title={title}
        onClose={() => manage.close()}
        foot={<TextButton onClick={() => manage.close()}>Close</TextButton>}
      >
        {error === undefined ? (
          <p>Reading servers.json…</p>
        ) : (
          <ErrorNote error={error} server={server} lead="Could not read it" />
        )}
      </Dialog>
    );
  const start = isCopy
    ? { original: undefined, state: startEditor(freeName(server, names), entry) }
    : { original: { name: server, entry }, state: startEditor(server, entry) };
  return <ServerDialog title={title} start={start} />;
}
