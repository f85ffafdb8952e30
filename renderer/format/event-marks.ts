import type { EventKind } from '../../shared/domain.ts';
import type { StateKind } from '../../shared/server-states.ts';

/**
 * Shape and colour of an event: that of the state it leads to, `cause` for what happened around the servers
 * and may be the cause of something, or a plain dot, `note`, for what changes no state.
 */
export type MarkKind = StateKind | 'cause' | 'note';

const markByEvent: Readonly<Record<EventKind, MarkKind>> = {
  started: 'running',
  stopped: 'stopped',
  crashed: 'failed',
  stalled: 'stalled',
  recovered: 'running',
  suspect: 'suspect',
  'restart-scheduled': 'backoff',
  restarted: 'running',
  'gave-up': 'failed',
  'limit-breached': 'backoff',
  'limit-recovered': 'running',
  'high-cpu': 'suspect',
  'start-failed': 'failed',
  'force-killed': 'stopping',
  ended: 'stopping',
  'protocol-noise': 'note',
  'orphan-reaped': 'note',
  'config-changed': 'cause',
  'config-rejected': 'suspect',
  'panel-started': 'cause',
  'panel-quit': 'cause',
  'system-resumed': 'cause',
  'panel-blocked': 'cause',
  'server-version-changed': 'cause',
  'client-connected': 'note',
  'client-refused': 'suspect',
  'client-revoked': 'note',
  'ask-refused': 'note',
};

/** Every kind of event, in the order in which filters list them. */
export const allEventKinds = Object.keys(markByEvent) as readonly EventKind[];

export const markOf = (kind: EventKind): MarkKind => markByEvent[kind];
