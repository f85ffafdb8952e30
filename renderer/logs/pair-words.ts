import type { Traffic } from '../../shared/log-lines.ts';

/** Words that lead from a request to its answer, and back. */
export const pairWords = ({ kind }: Traffic): string =>
  kind === 'request' ? 'Show its answer' : 'Show its request';
