import type { ServerView } from '../../shared/domain.ts';
import { remediesFor, type Remedy } from '../format/remedies.ts';
import type { EditPlace } from '../store/manage-store.ts';

/** Field of the form in which a remedy is carried out, with the proposed value. */
export const editPlaceOf = ({
  target,
  command,
  variables,
}: Extract<Remedy, { readonly kind: 'edit' }>): EditPlace => ({
  target,
  ...(command !== undefined && { command }),
  ...(variables !== undefined && { variables }),
});

/** Field that corrects the likeliest mistake of a server; undefined if its entry is not to blame. */
export function likeliestPlace(server: ServerView): EditPlace | undefined {
  const { lastError } = server;
  const remedies = lastError === undefined ? [] : remediesFor(lastError, server);
  const remedy = remedies.find((one) => one.kind === 'edit');
  return remedy === undefined ? undefined : editPlaceOf(remedy);
}
