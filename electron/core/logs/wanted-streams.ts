import type { LogFilter } from '../../../shared/log-lines.ts';
import { serverOf } from './line-place.ts';

/** Traffic is in memory alone. */
export const isOfTrafficAlone = ({ sources }: LogFilter): boolean =>
  sources?.every((source) => source === 'traffic') ?? false;

/**
 * Tells the streams whose lines a filter may let pass: of the servers that it names, with their further processes. These
 * count their generations apart, so a generation is meant of the server's own process.
 */
export function wantedStreams({ servers, generation }: LogFilter): (stream: string) => boolean {
  const wanted = servers && new Set(servers);
  return (stream) => {
    const server = serverOf(stream);
    return (wanted?.has(server) ?? true) && (generation === undefined || stream === server);
  };
}
