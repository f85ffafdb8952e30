import type { Ask } from '../../shared/manage.ts';
import type { Offer, OfferInTexts, Push, Sample, ServerView, Snapshot } from '../../shared/domain.ts';
import type { ClientUse, ClientView } from '../../shared/gateway.ts';
import type { Series, SeriesReply } from '../../shared/history.ts';
import { toldEvent, type EventDetail, type EventKind, type PanelEvent } from '../../shared/events.ts';

/** Server that runs, with the changes that a test wants. */
export function aServer(name: string, changes: Partial<ServerView> = {}): ServerView {
  return {
    name,
    transport: 'stdio',
    autoStart: true,
    target: `npx ${name}`,
    state: { kind: 'running', since: 0 },
    generation: 1,
    restartAttempt: 0,
    limits: { maxMemoryMiB: 1024, maxCpuPercent: 80, maxOpenFiles: 1000 },
    maxRestartAttempts: 3,
    restartsTotal: 0,
    runningSince: 0,
    ...changes,
  };
}

export const aSample = (at: number, changes: Partial<Sample> = {}): Sample => ({
  at,
  memoryBytes: 100,
  cpuPercent: 1,
  processCount: 1,
  ...changes,
});

/** Figures of one server in some buckets; each bucket has one sample unless a test says otherwise. */
export const aSeries = (
  server: string,
  metric: Series['metric'],
  index: readonly number[],
  avg: readonly number[],
  { min = avg, max = avg }: Partial<Record<'min' | 'max', readonly number[]>> = {},
): Series => ({ server, metric, index: [...index], min: [...min], avg: [...avg], max: [...max] });

/** Answer of the history in minutes, without figures. */
export const aReply = (changes: Partial<SeriesReply> = {}): SeriesReply => ({
  ...{ from: 0, to: 0, stepMs: 60_000, resolution: 'minute', series: [], absences: [], limits: [] },
  ...changes,
});

interface EventChanges<K extends EventKind> {
  readonly at?: number;
  readonly server?: string | null;
  readonly kind?: K;
  readonly detail?: EventDetail<K>;
}

export function anEvent<K extends EventKind = 'started'>(
  id: string,
  { at = 0, server = 'memory', kind, detail = {} }: EventChanges<K> = {},
): PanelEvent {
  return { id, at, server, ...toldEvent(kind ?? 'started', detail) };
}

export const anOffer = (changes: Partial<Offer> = {}): Offer => ({
  ...{ tools: [], prompts: [], resources: [], resourceTemplates: [] },
  ...changes,
});

/** The same as the page gets it. */
export const anOfferInTexts = (changes: Partial<Offer> = {}): OfferInTexts => {
  const { failures, parts, ...lists } = anOffer(changes);
  return { texts: [JSON.stringify(lists)], ...(failures && { failures }), ...(parts && { parts }) };
};

/** Client for all servers that has done nothing yet. */
export const aClient = (changes: Partial<ClientView> = {}): ClientView => ({
  ...{ id: 'c1', name: 'laptop', scopes: ['mcp'], createdAt: 1 },
  ...{ calls: 0, errors: 0, hourErrors: 0, sessions: [], perMinute: [] },
  ...changes,
});

/** What a client does with a server: one session, in which nothing happens. */
export const aUse = (changes: Partial<ClientUse> = {}): ClientUse => ({
  ...{ server: 'github', count: 1, inFlight: 0, lastSeenAt: 0 },
  ...{ declares: [], programs: [], protocols: [], contextIds: [] },
  ...changes,
});

/** Question of an entry for a secret in its environment. */
export const anAsk = (changes: Partial<Ask> = {}): Ask => ({
  ...{ id: 'token', label: 'Token', secret: true, where: 'env', key: 'TOKEN' },
  ...{ placeholder: '${input:token}', kind: 'value' },
  ...changes,
});

export const aSnapshot = (sequence: number, changes: Partial<Snapshot> = {}): Snapshot => ({
  sequence,
  appVersion: '1.0.0',
  electronVersion: '45.0.0',
  asksQuestions: true,
  config: { path: '/home/servers.json' },
  servers: [],
  approvals: [],
  events: [],
  ...changes,
});

export const aPush = (sequence: number, changes: Omit<Push, 'sequence'> = {}): Push => ({
  sequence,
  ...changes,
});
