import { ownPlaceIn } from '../entry-problem.ts';
import type { IsOwnEndpoint } from '../own-endpoint.ts';
import type { ImportReading } from './entry-collector.ts';

/**
 * Removes entries that lead to this panel from what was read from a client's file, and adds a problem for each. Clients that
 * use the panel have such entries.
 */
export function withoutOwnPanel(
  { entries, problems }: ImportReading,
  isOwnEndpoint: IsOwnEndpoint,
): ImportReading {
  const found = entries.map((entry) => ({ entry, place: ownPlaceIn(entry.entry, isOwnEndpoint)?.join('.') }));
  return {
    entries: found.flatMap(({ entry, place }) => (place === undefined ? [entry] : [])),
    problems: [
      ...problems,
      ...found.flatMap(({ entry: { name, originalName = name }, place }) =>
        place === undefined
          ? []
          : [
              {
                path: `${originalName}.${place}`,
                message: `${originalName} is not offered: this is your own panel`,
              },
            ],
      ),
    ],
  };
}
