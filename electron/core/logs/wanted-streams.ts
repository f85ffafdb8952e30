import type { LogFilter } from '../../../shared/log-lines.ts';
import { serverOf } from './line-place.ts';

/** True for filters of traffic alone, which is only in memory. */
export const isOfTrafficAlone = ({ sources }: LogFilter): boolean =>
  sources?.every((source) => source === 'traffic') ?? false;

/**
 * Returns a test for the streams that a filter may let pass: those of the named servers and their replicas. Replicas count
 * their generations separately, so a filter with a generation means the server's own process.
 */
export function wantedStreams({ servers, generation }: LogFilter): (stream: string) => boolean {
  const wanted = servers && new Set(servers);
  return (stream) => {
    const server = serverOf(stream);
    return (wanted?.has(server) ?? true) && (generation === undefined || stream === server);
  };
}
