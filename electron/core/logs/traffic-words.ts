import type { TrafficRecord } from './traffic-log.ts';

const BYTES_PER_KIB = 1024;
const MS_PER_S = 1000;

/**
 * Line of a message: its kind, target, size, duration and caller. Nothing of its content but the name of the target, which the
 * caller has redacted.
 */
export function trafficWords(record: TrafficRecord, target: string | undefined): string {
  const { direction, sizeBytes, durationMs, client } = record;
  const arrow = direction === 'to-server' ? '→' : '←';
  const facts = [
    target === undefined ? whatOf(record) : `${whatOf(record)} ${target}`,
    sizeBytes === undefined ? undefined : sizeWords(sizeBytes),
    durationMs === undefined ? undefined : durationWords(durationMs),
    client,
  ];
  return `${arrow} ${facts.filter((fact) => fact !== undefined).join(' · ')}`;
}

function whatOf({ kind, method, errorCode }: TrafficRecord): string {
  if (kind === 'request' || kind === 'notification') return method;
  const what = kind === 'result' ? 'result' : `error${errorCode === undefined ? '' : ` ${errorCode}`}`;
  return method === '' ? `${what} of nothing that was asked` : `${what} of ${method}`;
}

function sizeWords(bytes: number): string {
  if (bytes < BYTES_PER_KIB) return `${bytes} B`;
  const kib = bytes / BYTES_PER_KIB;
  return kib < BYTES_PER_KIB ? `${kib.toFixed(1)} KiB` : `${(kib / BYTES_PER_KIB).toFixed(1)} MiB`;
}

const durationWords = (ms: number): string =>
  ms < MS_PER_S ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / MS_PER_S).toFixed(1)} s`;
