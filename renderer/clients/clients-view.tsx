import { useEffect, useState } from 'react';
import { formatPlural, listWords } from '../format/figures.ts';
import { useClients, usePanel, useServices, useTask } from '../services.ts';
import { ErrorNote, FailedNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { ClientTable } from './client-table.tsx';
import { isConnected } from '../format/client-words.ts';
import type { GatewayStatus, ServerSet } from '../../shared/gateway.ts';
import { useSettingStatus } from '../settings/use-settings.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { ProgramsSection } from './programs-section.tsx';
import { LeftBehindSection } from './left-behind.tsx';
import { Page } from '../ui/page.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { ALL_SERVERS, serverAddress } from '../../shared/gateway-use.ts';
import { serverNamePattern } from '../../shared/server-names.ts';
import { CheckField } from '../ui/check-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useSets } from './client-fields.tsx';

/** View of the clients that use the servers through the panel, with the address of the panel's endpoint. */
export function ClientsView() {
  const { clients: store, manage } = useServices();
  useEffect(() => store.follow(), [store]);
  const clients = useClients((state) => state.clients);
  const error = useClients((state) => state.error);
  const url = useClients((state) => state.gateway?.url);
  const add = () => manage.open({ kind: 'add-client' });
  return (
    <Page
      title="Clients"
      note={
        clients !== undefined &&
        clients.length > 0 &&
        `${formatPlural(clients.length, 'client')}, ${clients.filter(isConnected).length} connected`
      }
      tools={
        clients !== undefined && clients.length > 0 && <TextButton onClick={add}>Add a client…</TextButton>
      }
    >
      <div className="flex-1 min-h-0 overflow-auto">
        {error !== undefined && (
          <div className="max-w-1440 pt-12 px-16">
            <ErrorNote error={error} server="clients" lead="The clients could not be listed" />
          </div>
        )}
        <Endpoint />
        {/* The content has a maximum width, because longer lines are hard to read. The view and its scrollbar use the full
            width. */}
        <div className="max-w-1440">
          <LeftBehindSection />
          <ProgramsSection />
          {clients === undefined ? null : clients.length === 0 ? (
            <NoClients onAdd={add} />
          ) : (
            <>
              <ClientTable clients={clients} />
              {url !== undefined && <SetsSection url={url} />}
            </>
          )}
        </div>
      </div>
    </Page>
  );
}

function NoClients({ onAdd }: { readonly onAdd: () => void }) {
  return (
    <section className="max-w-620 pt-24 px-16 pb-32" aria-label="No client yet">
      <p className="text-16/24">
        Claude Code, VS Code, Cursor and others can share these servers instead of each starting its own
        copies.
      </p>
      <p className="pt-6 pb-16 text-dim">
        Create a client for each program: it gets its own token, which you can limit to some servers and
        revoke at any time.
      </p>
      <TextButton look="main" onClick={onAdd}>
        Add a client…
      </TextButton>
    </section>
  );
}

/** Shows the address at which clients reach the servers, or why clients cannot connect and what to do about it. */
function Endpoint() {
  const gateway = useClients((state) => state.gateway);
  if (gateway === undefined) return null;
  return (
    <section className="py-12 px-16 border-b border-line" aria-label="Endpoint">
      {gateway.isListening && <Listening url={gateway.url} />}
      {gateway.isOff && <Off />}
      {gateway.error !== undefined && <Trouble error={gateway.error} isListening={gateway.isListening} />}
      {gateway.clientsProblem !== undefined && (
        <p className="pt-6 wrap-anywhere text-failed">{gateway.clientsProblem}</p>
      )}
    </section>
  );
}

function Listening({ url }: Pick<GatewayStatus, 'url'>) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-8 gap-y-4">
        <StateShape kind="running" />
        <span>Listening at</span>
        <code className="text-12 font-semibold select-text">{url}</code>
        <CopyButton name="Copy the address" text={url} />
      </p>
      <p className="pl-(--indent) text-12 text-dim">
        Each server has its own address: <code>{`${url}/servers/<name>/mcp`}</code>
      </p>
    </>
  );
}

function Off() {
  const { clients, settings } = useServices();
  const status = useSettingStatus('gateway.enabled');
  const turnOn = () => void settings.set('gateway.enabled', true).then(() => clients.refresh());
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-8 gap-y-4">
        <StateShape kind="stopped" />
        <span>The endpoint is off. No client reaches a server through the panel.</span>
        <TextButton isBusy={status?.phase === 'pending'} onClick={turnOn}>
          Turn it on
        </TextButton>
      </p>
      <FailedNote status={status} server="settings.json" lead="Not turned on" />
    </>
  );
}

interface TroubleProps {
  readonly error: NonNullable<GatewayStatus['error']>;
  /** True if the gateway still listens, on the port that it had before the settings changed. */
  readonly isListening: boolean;
}

/** Shows a problem of the endpoint, such as a port in use, with a button that switches to a free port. */
function Trouble({ error, isListening }: TroubleProps) {
  const { clients, settings } = useServices();
  const status = useSettingStatus('gateway.port');
  const port = error.data?.freePort;
  const take = () => void settings.set('gateway.port', port).then(() => clients.refresh());
  return (
    <div className="flex flex-col gap-8">
      <ErrorNote
        error={error}
        server="endpoint"
        lead={isListening ? 'The port was not changed' : 'No client can connect'}
      />
      {port !== undefined && (
        <p className="flex flex-wrap items-center gap-x-8 gap-y-4">
          <TextButton isBusy={status?.phase === 'pending'} onClick={take}>
            Use port {port}
          </TextButton>
          <span className="text-12 text-dim">
            It is free. Clients that are set up already need the new address.
          </span>
        </p>
      )}
      <FailedNote status={status} server="settings.json" lead="Not changed" />
    </div>
  );
}

/**
 * Lists sets of servers. Each set has its own address, for clients that want one entry for several servers. @param url base
 * address of the endpoint
 */
function SetsSection({ url }: { readonly url: string }) {
  const [changes, setChanges] = useState(0);
  const [edited, setEdited] = useState<ServerSet>();
  const sets = useSets(changes);
  const close = () => {
    setEdited(undefined);
    setChanges((before) => before + 1);
  };
  return (
    <section className="pt-8 px-16 pb-12" aria-label="Sets">
      <div className="flex items-center gap-8">
        <h2 className="flex-1 text-13 font-semibold">Sets</h2>
        <TextButton onClick={() => setEdited({ name: '', servers: [], tools: [] })}>New set…</TextButton>
      </div>
      <p className="text-12 text-dim">
        All servers at one address: <code>{serverAddress(url, ALL_SERVERS)}</code>. A set is a group of
        servers with its own address.
      </p>
      <ul aria-label="Sets of servers">
        {sets.map((set) => (
          <li key={set.name} className="flex items-center gap-8">
            <strong>{set.name}</strong>
            <span className="truncate text-12 font-mono text-dim">
              {serverAddress(url, ALL_SERVERS + set.name)}
            </span>
            <CopyButton
              name={`Copy the address of ${set.name}`}
              text={serverAddress(url, ALL_SERVERS + set.name)}
            />
            <span className="text-12 text-dim">{listWords(set.servers)}</span>
            <TextButton aria-label={`Change ${set.name}`} onClick={() => setEdited(set)}>
              Change…
            </TextButton>
          </li>
        ))}
      </ul>
      {edited && <SetDialog set={edited} onClose={close} />}
    </section>
  );
}

function SetDialog({ set, onClose }: { readonly set: ServerSet; readonly onClose: () => void }) {
  const { api } = useServices();
  const names = usePanel((state) => state.names);
  const [name, setName] = useState(set.name);
  const [chosen, setChosen] = useState<readonly string[]>(set.servers);
  const { status, run } = useTask();
  const isNew = set.name === '';
  const put = async (servers: readonly string[]) => {
    const tools = Object.fromEntries(set.tools.map((one) => [one.server, one.tools]));
    const settled = await run(() => api.putSet({ name, servers: [...servers], tools }));
    if (settled?.phase === 'done') onClose();
  };
  return (
    <Dialog
      title={isNew ? 'New set' : `Set ${set.name}`}
      size="small"
      onClose={onClose}
      foot={!isNew && <TextButton onClick={() => void put([])}>Remove the set</TextButton>}
      main={{
        words: 'Save',
        isDisabled: !serverNamePattern.test(name) || chosen.length === 0,
        isBusy: status?.phase === 'pending',
        run: () => void put(chosen),
      }}
    >
      {isNew && (
        <TextField
          label="Name"
          hint="Letters, digits, “.”, “-” and “_”: it is a part of the address."
          value={name}
          onChange={setName}
        />
      )}
      <fieldset className="pt-12">
        <legend>Servers</legend>
        {names.map((server) => (
          <CheckField
            key={server}
            label={server}
            isChecked={chosen.includes(server)}
            onChange={(isChosen) =>
              setChosen(isChosen ? [...chosen, server] : chosen.filter((one) => one !== server))
            }
          />
        ))}
      </fieldset>
      <FailedNote status={status} server={name} lead="Not saved" />
    </Dialog>
  );
}
