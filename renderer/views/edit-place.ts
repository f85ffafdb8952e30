import type { ServerView } from '../../shared/domain.ts';
import { remediesFor, type Remedy } from '../format/remedies.ts';
import type { EditPlace } from '../store/manage-store.ts';

/** Place in the form where a remedy is carried out, with what it proposes there. */
export const editPlaceOf = ({
  target,
  command,
  variables,
}: Extract<Remedy, { readonly kind: 'edit' }>): EditPlace => ({
  target,
  ...(command !== undefined && { command }),
  ...(variables !== undefined && { variables }),
});

/** Place where the likeliest mistake of a server is corrected. Undefined where nothing in its entry is to blame. */
export function likeliestPlace(server: ServerView): EditPlace | undefined {
  const { lastError } = server;
  const remedies = lastError === undefined ? [] : remediesFor(lastError, server);
  const remedy = remedies.find((one) => one.kind === 'edit');
  return remedy === undefined ? undefined : editPlaceOf(remedy);
}
