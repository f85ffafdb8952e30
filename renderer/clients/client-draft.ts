import type { TokenScope } from '../../shared/gateway.ts';
import type { NewClient } from '../../shared/ipc/topics/gateway.ts';

/** A client as the form has it. */
export interface ClientDraft {
  readonly name: string;
  readonly purpose: TokenScope;
  /** All servers, or those that are ticked. */
  readonly reach: 'all' | 'chosen';
  readonly ticked: readonly string[];
}

export const newClientDraft: ClientDraft = { name: '', purpose: 'mcp', reach: 'all', ticked: [] };

/** The only servers that the client may use, in the order of `names`; undefined where there is no such limit. */
export function chosenServers(draft: ClientDraft, names: readonly string[]): readonly string[] | undefined {
  const { purpose, reach, ticked } = draft;
  if (purpose === 'metrics' || reach === 'all') return undefined;
  return names.filter((server) => ticked.includes(server));
}

/** What is asked of the panel; undefined while something is missing. @param names of the servers that there are */
export function wantedClient(draft: ClientDraft, names: readonly string[]): NewClient | undefined {
  const name = draft.name.trim();
  const chosen = chosenServers(draft, names);
  if (name === '' || chosen?.length === 0) return undefined;
  return { name, scopes: [draft.purpose], ...(chosen && { servers: [...chosen] }) };
}
