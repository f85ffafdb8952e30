import type { SessionsView, SharingView } from '../../shared/domain.ts';
import { formatDuration } from '../format/durations.ts';
import { formatMemory, formatPlural } from '../format/figures.ts';
import { formatHourMinute } from '../format/moments.ts';

/** "It answers one call at a time; 3 clients waited 41 s since 09:12." Undefined for servers that do not. */
export function turnWords({ answersInTurn, waits }: SharingView): string | undefined {
  if (answersInTurn !== true) return undefined;
  const lesson = 'It answers one call at a time';
  if (!waits) return `${lesson}; no client has waited today.`;
  const { clients, totalMs, since } = waits;
  return `${lesson}; ${formatPlural(clients, 'client')} waited ${formatDuration(totalMs)} since ${formatHourMinute(since)}.`;
}

/** Advice for an unlisted server that two clients use while its sharing is not set; undefined otherwise. */
export function secondClientWords({ secondClient }: SharingView): string | undefined {
  if (!secondClient) return undefined;
  const { first, second, stateTools } = secondClient;
  const met = `${first} and ${second} share this server, and it is not known whether it keeps a state for its user.`;
  if (!stateTools || stateTools.length === 0) return met;
  return `${met} Its tools ${stateTools.join(', ')} suggest that it does.`;
}

/** Cost of a process per client, estimated from the current use. */
export function costWords({ sessions }: SessionsView, memoryBytes: number | undefined): string {
  const processes = Math.max(1, new Set(sessions.map(({ instance }) => instance)).size);
  const each =
    memoryBytes === undefined ? 'memory for each' : `about ${formatMemory(memoryBytes / processes)} each`;
  return `A process for each client costs ${each}, and state in memory is not shared between them.`;
}
