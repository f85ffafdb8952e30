import type { ServerView } from '../../shared/domain.ts';
import { remediesFor, type Remedy } from '../format/remedies.ts';
import type { ManageDialog } from '../store/manage-store.ts';

type Opening = Exclude<Remedy, { readonly kind: 'copy' }>;

/** Dialog that applies a remedy: a question, or the form at the affected field with the proposed value. */
export const dialogOf = (remedy: Opening, server: string): ManageDialog =>
  remedy.kind === 'open' ? { kind: remedy.dialog, server } : { kind: 'edit', server, at: remedy };

/** Dialog to correct the likeliest mistake of a server, or the whole form if no part of its entry is to blame. */
export function likeliestDialog(server: ServerView): ManageDialog {
  const { lastError } = server;
  const remedies = lastError === undefined ? [] : remediesFor(lastError, server);
  const remedy = remedies.find((one) => one.kind !== 'copy');
  return remedy === undefined ? { kind: 'edit', server: server.name } : dialogOf(remedy, server.name);
}
