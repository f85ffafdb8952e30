import { formatPlural } from './figures.ts';

/** Text on calls in flight: "1 call is in flight", "2 calls are in flight". */
export const callsInFlightWords = (calls: number): string =>
  `${formatPlural(calls, 'call')} ${calls === 1 ? 'is' : 'are'} in flight`;
