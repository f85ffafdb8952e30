import type { ServerView } from '../../shared/domain.ts';
import { remediesFor, type Remedy } from '../format/remedies.ts';
import type { ManageDialog } from '../store/manage-store.ts';

type Opening = Exclude<Remedy, { readonly kind: 'copy' }>;

/** Dialog that applies a remedy: a dialog of its own, or the server's form at the affected field with the proposed value. */
export const dialogOf = (remedy: Opening, server: string): ManageDialog =>
  remedy.kind === 'open' ? { kind: remedy.dialog, server } : { kind: 'edit', server, at: remedy };

/** Dialog that corrects a server's likeliest mistake, or the whole form if no field of its entry is known to be wrong. */
export function likeliestDialog(server: ServerView): ManageDialog {
  const { lastError } = server;
  const remedies = lastError === undefined ? [] : remediesFor(lastError, server);
  const remedy = remedies.find((one) => one.kind !== 'copy');
  return remedy === undefined ? { kind: 'edit', server: server.name } : dialogOf(remedy, server.name);
}
