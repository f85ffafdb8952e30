import type { ClientView, TokenScope } from '../../shared/gateway.ts';
import type { NewClient } from '../../shared/ipc/topics/gateway.ts';

/** Client as the form edits it. */
export interface ClientDraft {
  readonly name: string;
  readonly purpose: TokenScope;
  /** Access to all servers, or only to the ticked ones. */
  readonly reach: 'all' | 'chosen';
  readonly ticked: readonly string[];
}

export const newClientDraft: ClientDraft = { name: '', purpose: 'mcp', reach: 'all', ticked: [] };

/** What a client that exists may do, for the form. */
export const draftOf = ({ name, servers }: Pick<ClientView, 'name' | 'servers'>): ClientDraft => ({
  ...{ name, purpose: 'mcp', reach: servers === undefined ? 'all' : 'chosen', ticked: servers ?? [] },
});

/** Servers to which the client is limited, in the order of `names`; undefined without such a limit. */
export function chosenServers(draft: ClientDraft, names: readonly string[]): readonly string[] | undefined {
  const { purpose, reach, ticked } = draft;
  if (purpose === 'metrics' || reach === 'all') return undefined;
  return names.filter((server) => ticked.includes(server));
}

/** Client to create; undefined while something is missing. @param names names of all servers */
export function wantedClient(draft: ClientDraft, names: readonly string[]): NewClient | undefined {
  const name = draft.name.trim();
  const chosen = chosenServers(draft, names);
  if (name === '' || chosen?.length === 0) return undefined;
  return { name, scopes: [draft.purpose], ...(chosen && { servers: [...chosen] }) };
}
