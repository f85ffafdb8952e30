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
 * Number of kept events, as many as a snapshot has. The constant is typed instead of imported, because its module imports zod.
 */
export const EVENTS_KEPT: typeof EVENTS_IN_SNAPSHOT = 500;

/** Last state from the main process, with fields that components can select separately. */
export interface PanelState {
  /** Phase: `loading` until the first snapshot. */
  readonly phase: 'loading' | 'ready';
  /** Error of the last request for a snapshot, which the subscriber repeats; undefined if the request succeeded. */
  readonly loadError: ErrorReport | undefined;
  readonly appVersion: string;
  /** Whether a user can answer questions; if not, the page asks none. */
  readonly asksQuestions: boolean;
  readonly electronVersion: string;
  readonly machine: Machine | undefined;
  /** Container engines whose client is on this machine; empty until they are known. */
  readonly engines: readonly PackageEngine[];
  readonly config: ConfigStatus;
  /**
   * Names in alphabetical order, so that no change of state or configuration moves a row. The array is replaced only when a
   * server is added or removed.
   */
  readonly names: readonly string[];
  readonly servers: ReadonlyMap<string, ServerView>;
  /** Calls that wait for a person, the longest first. */
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

/** Servers whose definition came from outside the panel and waits for a person, in the order of the list. */
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

/** Returns the state after one push. Unchanged parts keep their identity. */
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
  // A name that is both removed and sent was replaced, so the sent entry wins.
  for (const server of changed) after.set(server.name, server);
  return after;
}

/** Entries of the servers for which new figures came. */
function withFigures(servers: PanelState['servers'], samples: readonly ServerFigures[]): ServerView[] {
  return samples.flatMap((figures) => {
    const server = servers.get(figures.name);
    return server === undefined ? [] : [replaceFigures(server, figures)];
  });
}

/** Entry with new figures; optional figures that were not sent are removed. */
function replaceFigures(
  { sample: _sample, busy: _busy, recentCalls: _recentCalls, ...rest }: ServerView,
  figures: ServerFigures,
): ServerView {
  return { ...rest, ...figures };
}

const nameOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Names of the servers in order; the same array as before if they are equal. */
function sortedNames({ names: before }: PanelState, servers: PanelState['servers']): readonly string[] {
  const names = [...servers.keys()].sort((a, b) => nameOrder.compare(a, b) || (a < b ? -1 : 1));
  return before.length === names.length && before.every((name, index) => name === names[index])
    ? before
    : names;
}
