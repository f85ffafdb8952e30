import { type ReactNode, useEffect } from 'react';
import { useStore } from 'zustand/react';
import { useServices, usePanel } from '../services.ts';
import { AddClientDialog } from '../clients/add-client-dialog.tsx';
import { ChangeClientDialog, RenewClientDialog, RevokeClientDialog } from '../clients/client-question.tsx';
import { MoveDialog } from '../clients/move-dialog.tsx';
import { ApprovalDialog } from '../consent/approval-dialog.tsx';
import { ChangedToolsDialog } from '../consent/changed-tools-dialog.tsx';
import { ConsentDialog } from '../consent/consent-dialog.tsx';
import { ContainerDialog } from '../containers/container-dialog.tsx';
import { SignInDialog } from '../sign-in/sign-in-dialog.tsx';
import { MissingDialog } from '../secrets/missing-dialog.tsx';
import { SecretStoreDialog } from '../secrets/store-field.tsx';
import { CommandPalette } from '../palette-commands/command-palette.tsx';
import { DiagnosticsDialog } from '../diagnostics/diagnostics-dialog.tsx';
import { EndProcessDialog } from '../processes/end-process-dialog.tsx';
import { ColourDialog } from '../commands/colour-dialog.tsx';
import { ImportDialog } from '../import/import-dialog.tsx';
import { InterruptDialog } from '../commands/interrupt-dialog.tsx';
import { startEditor, propose } from '../editor/editor-state.ts';
import { QuitDialog } from '../commands/quit-dialog.tsx';
import { InterruptManyDialog, RemoveManyDialog } from '../commands/many-dialogs.tsx';
import { PasteDialog } from '../import/paste-dialog.tsx';
import { RemoveDialog } from '../commands/remove-dialog.tsx';
import { ServerDialog } from '../editor/server-dialog.tsx';
import { SleepDialog } from '../commands/sleep-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { FailureCard } from './failure-card.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { shortcutGroups, type ShortcutGroup } from '../commands/command-table.ts';
import { shortcutsIn } from '../commands/shortcuts.ts';
import styles from '../shortcuts/shortcut-sheet.module.css';
import { ErrorNote } from '../ui/error-note.tsx';
import { freeName } from '../../shared/server-names.ts';
import type { EditPlace } from '../store/manage-store.ts';
import type { RawEntry } from '../entry/raw-entry.ts';
import { useTask } from '../use-task.ts';

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
  if (dialog === undefined) return null;
  switch (dialog.kind) {
    case 'palette':
      return <CommandPalette />;
    case 'shortcuts':
      return <ShortcutSheet />;
    case 'add':
      return <ServerDialog title="Add a server" start={emptyStart} />;
    case 'paste':
      return <PasteDialog {...dialog} />;
    case 'import':
      return <ImportDialog />;
    case 'move':
      return <MoveDialog wanted={dialog.wanted} />;
    case 'consent':
      return <ConsentDialog server={dialog.server} />;
    case 'approval':
      return <ApprovalDialog />;
    case 'colour':
      return <ColourDialog server={dialog.server} />;
    case 'contain':
      return <ContainerDialog {...dialog} />;
    case 'changed-tools':
      return <ChangedToolsDialog server={dialog.server} />;
    case 'sign-in':
      return <SignInDialog server={dialog.server} />;
    case 'missing':
      return <MissingDialog server={dialog.server} />;
    case 'secret-store':
      return <SecretStoreDialog />;
    case 'add-client':
      return <AddClientDialog />;
    case 'change-client':
      return <ChangeClientDialog client={dialog.client} />;
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
    case 'sleep':
      return <SleepDialog servers={dialog.servers} />;
    case 'remove-many':
      return <RemoveManyDialog servers={dialog.servers} />;
    case 'edit':
    case 'duplicate':
      return <EditDialog key={dialog.server} {...dialog} isCopy={dialog.kind === 'duplicate'} />;
    case 'diagnostics':
      return <DiagnosticsDialog {...dialog} />;
  }
}

/** Sheet of all shortcuts, for reference. */
function ShortcutSheet() {
  const { manage } = useServices();
  return (
    <Dialog
      title="Keyboard shortcuts"
      onClose={() => manage.close()}
      foot={
        <TextButton data-autofocus onClick={() => manage.close()}>
          Close
        </TextButton>
      }
    >
      <div className={styles.groups}>
        {shortcutGroups.map((group) => (
          <Group key={group} title={group} />
        ))}
      </div>
    </Dialog>
  );
}

function Group({ title }: { readonly title: ShortcutGroup }) {
  return (
    <section className={styles.group} aria-label={title}>
      <h3 className={styles.title}>{title}</h3>
      <dl className={styles.list}>
        {shortcutsIn(title).map(({ words, keys }) => (
          <div key={words} className={styles.line}>
            <dt>{words}</dt>
            <dd>
              <kbd className={styles.keys}>{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface EditDialogProps {
  readonly server: string;
  /** Whether a copy is added while the server itself stays unchanged. */
  readonly isCopy: boolean;
  /** Field where the edit begins, and the value proposed for it. */
  readonly at?: EditPlace | undefined;
}

/** Dialog that reads the entry from the file, then edits it. */
function EditDialog({ server, isCopy, at }: EditDialogProps) {
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
