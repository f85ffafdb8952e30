import { useEffect } from 'react';
import { CheckField } from '../ui/check-field.tsx';
import { FieldLine } from '../ui/field-line.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { ClientView, ServerSet, TokenScope } from '../../shared/gateway.ts';
import type { NewClient } from '../../shared/ipc/topics/gateway.ts';
import { useServices, useTask } from '../services.ts';

const purposes = [
  { value: 'mcp', label: 'Use servers' },
  { value: 'metrics', label: 'Read metrics' },
] as const;

const reaches = [
  { value: 'all', label: 'All servers' },
  { value: 'chosen', label: 'Chosen servers' },
] as const;

interface ClientFieldsProps {
  readonly value: ClientDraft;
  /** Names of all servers. */
  readonly names: readonly string[];
  readonly onChange: (changes: Partial<ClientDraft>) => void;
}

/** Fields for the name of a client and the purpose of its token. */
export function ClientFields({ value, names, onChange }: ClientFieldsProps) {
  const { name, purpose } = value;
  return (
    <>
      <TextField
        label="Name"
        value={name}
        placeholder="cursor"
        hint="One client for each program, so that you see who calls what and can revoke each one separately."
        hasFocus
        onChange={(next) => onChange({ name: next })}
      />
      <FieldLine label="What it may do">
        <Segments
          name="What it may do"
          value={purpose}
          choices={purposes}
          onChange={(next) => onChange({ purpose: next })}
        />
        {purpose === 'metrics' && (
          <p className="hint">
            For Prometheus and similar programs: it reads the figures of all servers, but cannot use any
            server.
          </p>
        )}
      </FieldLine>
      {purpose === 'mcp' && <ReachFields {...{ value, names, onChange }} />}
    </>
  );
}

/** Fields for the servers that a client may use. */
export function ReachFields({ value: { reach, ticked }, names, onChange }: ClientFieldsProps) {
  return (
    <FieldLine label="May use">
      <Segments
        name="May use"
        value={reach}
        choices={reaches}
        onChange={(next) => onChange({ reach: next })}
      />
      {reach === 'all' ? (
        <p className="hint">Includes servers you add later.</p>
      ) : (
        <ServerChoice names={names} ticked={ticked} onChange={(next) => onChange({ ticked: next })} />
      )}
    </FieldLine>
  );
}

interface ServerChoiceProps {
  readonly names: readonly string[];
  readonly ticked: readonly string[];
  readonly onChange: (ticked: readonly string[]) => void;
}

function ServerChoice({ names, ticked, onChange }: ServerChoiceProps) {
  if (names.length === 0) return <p className="hint">There is no server yet.</p>;
  return (
    <ul
      className="grid grid-cols-[repeat(auto-fill,minmax(160px,1fr))] gap-x-16 gap-y-8 w-full wrap-anywhere"
      aria-label="Servers it may use"
    >
      {names.map((server) => (
        <li key={server}>
          <CheckField
            label={server}
            isChecked={ticked.includes(server)}
            onChange={(isTicked) =>
              onChange(isTicked ? [...ticked, server] : ticked.filter((other) => other !== server))
            }
          />
        </li>
      ))}
    </ul>
  );
}

/** Data of a client while it is edited in the form. */
export interface ClientDraft {
  readonly name: string;
  readonly purpose: TokenScope;
  /** Access to all servers, or only to the ticked ones. */
  readonly reach: 'all' | 'chosen';
  readonly ticked: readonly string[];
}

export const newClientDraft: ClientDraft = { name: '', purpose: 'mcp', reach: 'all', ticked: [] };

/** Returns the form data for what an existing client may use. */
export const draftOf = ({ name, servers }: Pick<ClientView, 'name' | 'servers'>): ClientDraft => ({
  ...{ name, purpose: 'mcp', reach: servers === undefined ? 'all' : 'chosen', ticked: servers ?? [] },
});

/** Returns the servers to which the client is limited, in the order of `names`; undefined if it is not limited. */
export function chosenServers(draft: ClientDraft, names: readonly string[]): readonly string[] | undefined {
  const { purpose, reach, ticked } = draft;
  if (purpose === 'metrics' || reach === 'all') return undefined;
  return names.filter((server) => ticked.includes(server));
}

/** Returns the client to create; undefined while required data is missing. @param names names of all servers */
export function wantedClient(draft: ClientDraft, names: readonly string[]): NewClient | undefined {
  const name = draft.name.trim();
  const chosen = chosenServers(draft, names);
  if (name === '' || chosen?.length === 0) return undefined;
  return { name, scopes: [draft.purpose], ...(chosen && { servers: [...chosen] }) };
}

/** Returns the user's sets of servers. They are loaded again whenever the counter `changes` increases. */
export function useSets(changes = 0): readonly ServerSet[] {
  const { api } = useServices();
  const { status, run } = useTask<ServerSet[]>();
  useEffect(() => void run(() => api.getSets()), [api, run, changes]);
  return status?.phase === 'done' ? status.value : [];
}
