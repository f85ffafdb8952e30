import { NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { TokenScope } from '../../shared/gateway.ts';
import { ALL_SERVERS, readsMetricsOnly } from '../../shared/gateway-use.ts';
import type { Bridge } from '../../shared/ipc/topics/programs.ts';
import { useClients, usePanel, useServices, useTask } from '../services.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { showDirectionControls } from '../format/text-direction.ts';
import { useSets } from './client-fields.tsx';
import { clientPrograms, programs, systemOf, type ClientProgram } from './client-programs.ts';
import { clientSnippet } from './client-snippet.ts';
import { MetricsSnippets, SnippetBox } from './metrics-snippets.tsx';

interface ClientSetupProps {
  readonly name: string;
  /** Servers that the client may use; all servers if undefined. */
  readonly servers?: readonly string[] | undefined;
  /** Permissions of the token. */
  readonly scopes: readonly TokenScope[];
  readonly token: string;
  readonly onClose: () => void;
}

const choices = clientPrograms.map((value) => ({ value, label: programs[value].name }));

/** Returns the program whose name is contained in the name of a client; if there is none, the first program. */
export function programNamed(name: string): ClientProgram {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
  const known = clientPrograms.find((program) => letters(name).includes(letters(programs[program].name)));
  return known ?? 'claude-code';
}

/** Token of a client, shown only once, with the snippet for its program. */
export function ClientSetup({ name, servers, scopes, token, onClose }: ClientSetupProps) {
  const { clients } = useServices();
  useEffect(() => clients.follow(), [clients]);
  const gateway = useClients((state) => state.gateway);
  const names = usePanel((state) => state.names);
  const readsMetrics = readsMetricsOnly({ scopes });
  return (
    <Dialog
      title={`Set up ${name}`}
      onClose={onClose}
      foot={
        <>
          <p>
            Anyone with the token can {readsMetrics ? 'read the metrics' : 'use these servers'}. Revoke it in
            Clients when it is no longer needed.
          </p>
          <TextButton look="main" data-autofocus onClick={onClose}>
            Done
          </TextButton>
        </>
      }
    >
      <section className="[&+&]:mt-16" aria-label="Token">
        <h3 className="mb-6 text-13 font-semibold">
          Token
          <span className="ml-8 hint">Copy it now: it is shown only once. The panel stores only a hash.</span>
        </h3>
        <div className="flex items-start justify-between gap-8 mt-6 py-4 pr-4 pl-12 box">
          <code className="flex-1 min-w-0 max-h-300 py-4 overflow-auto wrap-anywhere whitespace-pre-wrap text-12/16 select-text">
            {token}
          </code>
          <CopyButton name="Copy the token" text={token} />
        </div>
      </section>
      {gateway?.error && !gateway.isListening && (
        <ErrorNote error={gateway.error} server="endpoint" lead="No client can connect yet" />
      )}
      <section className="[&+&]:mt-16" aria-label="Configuration">
        <h3 className="mb-6 text-13 font-semibold">Configuration</h3>
        {readsMetrics ? (
          <MetricsSnippets gateway={gateway} token={token} />
        ) : (
          <ProgramSnippets name={name} url={gateway?.url} servers={servers ?? names} token={token} />
        )}
      </section>
    </Dialog>
  );
}

interface SnippetProps {
  /** Base address of the endpoint; undefined until it is known. */
  readonly url: string | undefined;
  readonly servers: readonly string[];
  readonly token: string;
}

/** Snippets for client programs that use the panel's servers. */
function ProgramSnippets({ name, url, servers, token }: SnippetProps & { readonly name: string }) {
  const [program, setProgram] = useState(() => programNamed(name));
  const [entries, setEntries] = useState('');
  const sets = useSets();
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label="Entries"
        value={entries}
        data={[
          { value: '', label: 'An entry for each server' },
          { value: ALL_SERVERS, label: 'One entry for all servers' },
          ...sets.map((set) => ({
            value: ALL_SERVERS + set.name,
            label: `One entry for the set ${showDirectionControls(set.name)}`,
          })),
        ]}
        onChange={(event) => setEntries(event.currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label="Program"
        value={program}
        data={choices}
        onChange={(event) => setProgram(event.currentTarget.value as ClientProgram)}
      />
      <Snippet program={program} url={url} servers={entries === '' ? servers : [entries]} token={token} />
    </>
  );
}

const fileChoices = [
  { value: 'there', label: 'The file exists' },
  { value: 'new', label: 'New file' },
] as const;

/** Finds the bridge for a program that needs one. `isKnown` is false while the search runs. */
function useBridge(program: ClientProgram): {
  readonly isKnown: boolean;
  readonly bridge: Bridge | undefined;
} {
  const { api } = useServices();
  const { status, run } = useTask<Bridge | undefined>();
  const isNeeded = 'usesBridge' in programs[program];
  useEffect(() => {
    if (isNeeded) void run(() => api.findBridge());
  }, [api, isNeeded, run]);
  const isKnown = !isNeeded || status?.phase === 'done' || status?.phase === 'failed';
  return { isKnown, bridge: status?.phase === 'done' ? status.value : undefined };
}

function Snippet({ program, url, servers, token }: SnippetProps & { readonly program: ClientProgram }) {
  const [kept, setKept] = useState<'there' | 'new'>('there');
  const { isKnown, bridge } = useBridge(program);
  if (url === undefined || !isKnown) return null;
  if (servers.length === 0)
    return <p className="hint">Add a server first: there is nothing to connect to yet.</p>;
  const system = systemOf(navigator.platform);
  const { target, text, notes } = clientSnippet(program, { url, token, servers, system, bridge });
  const wholeFile = target?.wholeFile;
  const isNew = wholeFile !== undefined && kept === 'new';
  return (
    <>
      {notes.map((note) => (
        <p key={note} className="mt-8 text-dim">
          {note}
        </p>
      ))}
      {target && (
        <>
          <div className="flex items-center gap-8 mt-8">
            <code className="min-w-0 wrap-anywhere text-12 select-text">{target.file}</code>
            <CopyButton name="Copy the path" text={target.file} />
            {wholeFile !== undefined && (
              <Segments name="File" value={kept} choices={fileChoices} onChange={setKept} />
            )}
          </div>
          {!isNew && <p className="hint">{target.place}</p>}
        </>
      )}
      <SnippetBox name={`Configuration for ${programs[program].name}`} text={isNew ? wholeFile : text} />
    </>
  );
}
