import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Approval } from '../../shared/approvals.ts';
import type { PackageEngine } from '../../shared/container-entry.ts';
import type {
  ConfigStatus,
  EVENTS_IN_SNAPSHOT,
  Machine,
  PanelEvent,
  Push,
  ServerFigures,
  ServerView,
  Snapshot,
} from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';

/**
 * Maximum number of stored events, which is also the number of events in a snapshot. The value is only checked by its type and
 * not imported, because its module imports zod.
 */
export const EVENTS_KEPT: typeof EVENTS_IN_SNAPSHOT = 500;

/** Last state from the main process, with fields that components can select separately. */
export interface PanelState {
  /** `loading` until the first snapshot arrives. */
  readonly phase: 'loading' | 'ready';
  /** Error of the last request for a snapshot; undefined if the request succeeded. The subscriber repeats a failed request. */
  readonly loadError: ErrorReport | undefined;
  readonly appVersion: string;
  /** True if a user is present to answer confirmations. If false, the page acts without asking for any. */
  readonly asksQuestions: boolean;
  readonly electronVersion: string;
  readonly machine: Machine | undefined;
  /** Container engines whose client program is installed on this machine; empty until they are known. */
  readonly engines: readonly PackageEngine[];
  readonly config: ConfigStatus;
  /**
   * Names of the servers in alphabetical order, so that no change of state or configuration moves a row. The array is replaced
   * only when a server is added or removed.
   */
  readonly names: readonly string[];
  readonly servers: ReadonlyMap<string, ServerView>;
  /** Calls that wait for the user's approval, beginning with the call that has waited longest. */
  readonly approvals: readonly Approval[];
  /** Events, oldest first. */
  readonly events: readonly PanelEvent[];
}

export type PanelStore = StoreApi<PanelState>;

const initialState: PanelState = {
  phase: 'loading',
  loadError: undefined,
  appVersion: '',
  asksQuestions: true,
  electronVersion: '',
  machine: undefined,
  engines: [],
  config: { path: '' },
  names: [],
  servers: new Map(),
  approvals: [],
  events: [],
};

export const createPanelStore = (): PanelStore => createStore<PanelState>(() => initialState);

/** Returns in list order the names of servers whose definition came from outside the panel and still needs the user's consent. */
export const askingServers = ({ names, servers }: Pick<PanelState, 'names' | 'servers'>): readonly string[] =>
  names.filter((name) => servers.get(name)?.consent !== undefined);

/** Returns the state after a full snapshot. */
export function applySnapshot(state: PanelState, snapshot: Snapshot): PanelState {
  const servers = new Map(snapshot.servers.map((server) => [server.name, server]));
  return {
    phase: 'ready',
    loadError: undefined,
    appVersion: snapshot.appVersion,
    asksQuestions: snapshot.asksQuestions,
    electronVersion: snapshot.electronVersion,
    machine: snapshot.machine,
    engines: state.engines,
    config: snapshot.config,
    names: sortedNames(state, servers),
    servers,
    approvals: snapshot.approvals,
    events: snapshot.events.slice(-EVENTS_KEPT),
  };
}

/** Returns the state after one push. Parts that did not change remain the same objects. */
export function applyPush(state: PanelState, push: Push): PanelState {
  const servers = changeServers(state.servers, push);
  const names = servers === state.servers ? state.names : sortedNames(state, servers);
  const added = push.events ?? [];
  return {
    ...state,
    servers,
    names,
    events: added.length === 0 ? state.events : [...state.events, ...added].slice(-EVENTS_KEPT),
    config: push.config ?? state.config,
    approvals: push.approvals ?? state.approvals,
  };
}

function changeServers(servers: PanelState['servers'], push: Push): PanelState['servers'] {
  const removed = push.removed ?? [];
  const changed = [...(push.servers ?? []), ...withFigures(servers, push.samples ?? [])];
  if (removed.length === 0 && changed.length === 0) return servers;
  const after = new Map(servers);
  for (const name of removed) after.delete(name);
  // A server that is both removed and sent in one push was replaced, so the sent entry takes precedence.
  for (const server of changed) after.set(server.name, server);
  return after;
}

/** Returns the entries of the servers that have new figures, with these figures. */
function withFigures(servers: PanelState['servers'], samples: readonly ServerFigures[]): ServerView[] {
  return samples.flatMap((figures) => {
    const server = servers.get(figures.name);
    return server === undefined ? [] : [replaceFigures(server, figures)];
  });
}

/** Returns the server's entry with its new figures. Optional figures that were not sent are removed from the entry. */
function replaceFigures(
  { sample: _sample, busy: _busy, recentCalls: _recentCalls, ...rest }: ServerView,
  figures: ServerFigures,
): ServerView {
  return { ...rest, ...figures };
}

const nameOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Returns the sorted names of the servers. Returns the previous array if the names are the same. */
function sortedNames({ names: before }: PanelState, servers: PanelState['servers']): readonly string[] {
  const names = [...servers.keys()].sort((a, b) => nameOrder.compare(a, b) || (a < b ? -1 : 1));
  return before.length === names.length && before.every((name, index) => name === names[index])
    ? before
    : names;
}
