import type { Traffic } from '../../shared/log-lines.ts';

/** Label of the action that leads from a request to its answer, or back. */
export const pairWords = ({ kind }: Traffic): string =>
  kind === 'request' ? 'Show its answer' : 'Show its request';
