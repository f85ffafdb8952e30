import type { ReactNode } from 'react';
import { useStore } from 'zustand/react';
import { useServices } from '../services.ts';
import { AddClientDialog } from '../clients/add-client-dialog.tsx';
import { RenewClientDialog, RevokeClientDialog } from '../clients/client-question.tsx';
import { CommandPalette } from '../palette-commands/command-palette.tsx';
import { DiagnosticsDialog } from '../diagnostics/diagnostics-dialog.tsx';
import { EndProcessDialog } from '../processes/end-process-dialog.tsx';
import { EditDialog } from '../editor/edit-dialog.tsx';
import { ImportDialog } from '../import/import-dialog.tsx';
import { InterruptDialog } from '../commands/interrupt-dialog.tsx';
import { startEditor } from '../editor/editor-state.ts';
import { QuitDialog } from '../commands/quit-dialog.tsx';
import { InterruptManyDialog, RemoveManyDialog } from '../commands/many-dialogs.tsx';
import { PasteDialog } from '../import/paste-dialog.tsx';
import { RemoveDialog } from '../commands/remove-dialog.tsx';
import { ShortcutSheet } from '../shortcuts/shortcut-sheet.tsx';
import { ServerDialog } from '../editor/server-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { FailureCard } from './failure-card.tsx';

const emptyStart = { original: undefined, state: startEditor('', {}) };

/** Layer with the open dialog, and above it the question before quitting. */
export function ManageLayer() {
  return (
    <>
      <ContainedDialog>
        <OpenDialog />
      </ContainedDialog>
      <QuitDialog />
    </>
  );
}

/** Error boundary that replaces a failed dialog by one that reports the failure. */
function ContainedDialog({ children }: { readonly children: ReactNode }) {
  const { manage } = useServices();
  const dialog = useStore(manage.state, (state) => state.dialog);
  const close = () => manage.close();
  return (
    <FailureBoundary
      key={dialog?.kind}
      fallback={(failure) => (
        <Dialog title="Not shown" size="small" onClose={close} foot={null}>
          <FailureCard failure={failure} subject="this dialog" action="Close" onAction={close} />
        </Dialog>
      )}
    >
      {children}
    </FailureBoundary>
  );
}

function OpenDialog() {
  const { manage } = useServices();
  const dialog = useStore(manage.state, (state) => state.dialog);
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'palette':
      return <CommandPalette />;
    case 'shortcuts':
      return <ShortcutSheet />;
    case 'add':
      return <ServerDialog title="Add a server" start={emptyStart} />;
    case 'paste':
      return <PasteDialog text={dialog.text} />;
    case 'import':
      return <ImportDialog />;
    case 'add-client':
      return <AddClientDialog />;
    case 'renew-client':
      return <RenewClientDialog client={dialog.client} />;
    case 'revoke-client':
      return <RevokeClientDialog client={dialog.client} />;
    case 'remove':
      return <RemoveDialog server={dialog.server} />;
    case 'interrupt':
      return <InterruptDialog server={dialog.server} command={dialog.command} />;
    case 'end-process':
      return <EndProcessDialog {...dialog} />;
    case 'interrupt-many':
      return <InterruptManyDialog servers={dialog.servers} command={dialog.command} />;
    case 'remove-many':
      return <RemoveManyDialog servers={dialog.servers} />;
    case 'edit':
      return <EditDialog key={dialog.server} server={dialog.server} isCopy={false} at={dialog.at} />;
    case 'diagnostics':
      return <DiagnosticsDialog {...dialog} />;
    case 'duplicate':
      return <EditDialog key={dialog.server} server={dialog.server} isCopy />;
  }
}
