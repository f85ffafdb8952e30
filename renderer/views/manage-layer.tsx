import { type ReactNode, useEffect } from 'react';
import { useStore } from 'zustand/react';
import { usePanel, useServices, useTask } from '../services.ts';
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
import { InterruptDialog, RemoveDialog } from '../commands/server-questions.tsx';
import { propose, startEditor } from '../editor/editor-state.ts';
import { PasteDialog } from '../import/paste-dialog.tsx';
import { ServerDialog } from '../editor/server-dialog.tsx';
import { SleepDialog } from '../commands/sleep-dialog.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { FailureCard } from './failure-card.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { type ShortcutGroup, shortcutGroups } from '../commands/command-table.ts';
import { shortcutsIn } from '../commands/shortcuts.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { freeName } from '../../shared/server-names.ts';
import type { EditPlace, ManageDialog } from '../store/manage-store.ts';
import type { RawEntry } from '../entry/raw-entry.ts';
import { Question } from '../ui/question.tsx';
import { callsAtStake } from '../../shared/calls-at-stake.ts';
import type { CallsInFlight } from '../../shared/quit-question.ts';
import { callsInFlightWords } from '../format/call-figures.ts';
import { formatPlural, listWords } from '../format/figures.ts';

const emptyStart = { original: undefined, state: startEditor('', {}) };

/** Layer with the open dialog, and above it the question that is asked before the panel quits. */
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

/** Error boundary that replaces a failed dialog with one that reports the failure. */
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
  // The type of the table matches each dialog with its properties, but the compiler cannot infer that for a dialog looked up by
  // its kind.
  const Shown = dialogs[dialog.kind] as (props: ManageDialog) => ReactNode;
  return <Shown {...dialog} />;
}

const dialogs: { readonly [K in ManageDialog['kind']]: (props: ManageDialog & { kind: K }) => ReactNode } = {
  palette: CommandPalette,
  shortcuts: ShortcutSheet,
  add: () => <ServerDialog title="Add a server" start={emptyStart} />,
  paste: PasteDialog,
  import: ImportDialog,
  move: MoveDialog,
  consent: ConsentDialog,
  approval: ApprovalDialog,
  colour: ColourDialog,
  contain: ContainerDialog,
  'changed-tools': ChangedToolsDialog,
  'sign-in': SignInDialog,
  missing: MissingDialog,
  'secret-store': SecretStoreDialog,
  'add-client': AddClientDialog,
  'change-client': ChangeClientDialog,
  'renew-client': RenewClientDialog,
  'revoke-client': RevokeClientDialog,
  remove: RemoveDialog,
  interrupt: InterruptDialog,
  'end-process': EndProcessDialog,
  sleep: SleepDialog,
  edit: (edit) => <EditDialog key={edit.server} {...edit} isCopy={false} />,
  duplicate: (copy) => <EditDialog key={copy.server} {...copy} isCopy />,
  diagnostics: DiagnosticsDialog,
};

/** Reference list of all shortcuts. */
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
      <div className="columns-2 gap-x-32">
        {shortcutGroups.map((group) => (
          <Group key={group} title={group} />
        ))}
      </div>
    </Dialog>
  );
}

function Group({ title }: { readonly title: ShortcutGroup }) {
  return (
    <section className="pb-16 break-inside-avoid" aria-label={title}>
      <h3 className="label pb-4">{title}</h3>
      <dl>
        {shortcutsIn(title).map(({ words, keys }) => (
          <div key={words} className="flex items-center justify-between gap-16 min-h-26">
            <dt>{words}</dt>
            <dd>
              <kbd className="px-6 py-2 border border-line rounded-sm bg-sunken font-sans text-12/16 whitespace-nowrap text-dim">
                {keys}
              </kbd>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface EditDialogProps {
  readonly server: string;
  /** Whether a copy is added and the server itself stays unchanged. */
  readonly isCopy: boolean;
  /** Field that has the focus when the dialog opens, and the value proposed for it. */
  readonly at?: EditPlace | undefined;
}

/** Dialog that reads the entry from the file, and then lets the user edit it. */
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

const asks = {
  quit: { title: 'Quit MCP Control Panel?', no: 'Keep running', yes: 'Quit anyway' },
  'stop-all': { title: 'Stop all servers?', no: 'Keep them running', yes: 'Stop all anyway' },
} as const;

/** Question above any open dialog before the panel quits, or stops all servers from the tray, while calls are in flight. */
function QuitDialog() {
  const { clock, quit } = useServices();
  const question = useStore(quit.state, (state) => state.question);
  const isOpen = question !== undefined;
  // The question is updated each second, because calls begin and end while it is open.
  useEffect(() => (isOpen ? clock.subscribe(() => void quit.refresh()) : undefined), [clock, isOpen, quit]);
  if (question === undefined) return null;
  return (
    <Question {...asks[question.before]} onNo={() => quit.answer(false)} onYes={() => quit.answer(true)}>
      <p>{quitLossWords(question)} Every server is stopped.</p>
    </Question>
  );
}

/**
 * Text on what is lost by quitting or stopping all servers: "3 calls are in flight, and will be lost. 1 call of this window and
 * 2 calls of Claude Desktop."
 */
export function quitLossWords(question: CallsInFlight): string {
  const calls = callsAtStake(question);
  if (calls === 0) return 'No call is in flight now.';
  const { clients, ownCalls } = question;
  const parts = [
    ...(ownCalls > 0 ? [{ of: 'this window', calls: ownCalls }] : []),
    ...clients.map(({ name, calls: count }) => ({ of: name, calls: count })),
  ];
  const [only] = parts;
  const whose =
    parts.length === 1 && only !== undefined
      ? `${calls === 1 ? 'It is' : 'They are'} of ${only.of}.`
      : `${capital(listWords(parts.map((part) => `${formatPlural(part.calls, 'call')} of ${part.of}`)))}.`;
  return `${callsInFlightWords(calls)}, and will be lost. ${whose}`;
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
