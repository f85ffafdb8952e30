import { BYTES_PER_MIB } from '../../../../shared/units.ts';
import type { HostedEnd } from '../hosted-run.ts';
import { GONE, type PodState } from './pod-status.ts';

const MAX_PODS = 5;

/** How a pod is, for people. */
export function podWords(pod: PodState): string {
  const { end, isGoing, isReady, kind, lastEnd, restarts, waitsFor } = pod;
  const ended = end && (endOfOthers(end, pod).why?.headline ?? `ended with code ${end.exitCode}`);
  const now =
    ended ??
    (kind === 'waiting' ? `waits${waitsFor ? `, ${waitsFor}` : ''}` : isReady ? 'is ready' : 'is not ready');
  const why = lastEnd && endOfOthers(lastEnd, pod).why?.headline;
  const again = restarts === 0 ? '' : `, restarted ${restarts === 1 ? 'once' : `${restarts} times`}`;
  return `${isGoing ? 'is going' : now}${again}${why === undefined ? '' : `, the last time because it ${why}`}`;
}

/** Pods by name and how they are, the first ones of many. */
export function listed(pods: readonly PodState[]): readonly string[] {
  const words = pods.slice(0, MAX_PODS).map((pod) => `${pod.name} ${podWords(pod)}`);
  return pods.length <= MAX_PODS ? words : [...words, `${pods.length - MAX_PODS} more`];
}

/** Why a pod cannot be used, and will not soon; undefined if it may. */
export const failureOf = ({ end, kind, lastEnd, waitsFor }: PodState): HostedEnd | undefined =>
  kind === 'ended' ? end : waitsFor?.startsWith('CrashLoopBackOff') ? (lastEnd ?? {}) : undefined;

/** How the container of a pod has ended since it was used; undefined if it has not. */
export function endSince(used: PodState, now: PodState | typeof GONE = GONE): HostedEnd | undefined {
  if (now.kind === 'ended') return endOfOthers(now.end ?? {}, used);
  return now.restarts > used.restarts ? endOfOthers(now.lastEnd ?? {}, now) : undefined;
}

/** The end of a container whose pod is not the panel's to change. */
export function endOfOthers({ outOfMemory, why, ...exit }: HostedEnd, { name }: PodState): HostedEnd {
  const { limitBytes } = outOfMemory ?? {};
  const may =
    limitBytes === undefined ? '' : `: its container may use ${Math.round(limitBytes / BYTES_PER_MIB)} MiB`;
  const headline = outOfMemory ? `ran out of memory${may}` : why?.headline;
  const remedy = `Look at it (kubectl describe pod ${name}), and change what made it: the panel does not.`;
  return { ...exit, ...(headline !== undefined && { why: { headline, remedy } }) };
}
