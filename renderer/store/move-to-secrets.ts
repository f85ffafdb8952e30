import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import { formatPlural } from '../format/figures.ts';
import type { ManageStore } from './manage-store.ts';

/** Value in servers.json that looks like a key. */
export type PlainValue = Awaited<ReturnType<ControlPanelApi['listPlainSecrets']>>[number];

/** Moves values of servers.json to the store of secrets, with a note that undoes it. Rejects with the first refusal. */
export async function moveToSecrets(
  { api, manage }: { readonly api: ControlPanelApi; readonly manage: ManageStore },
  wanted: readonly PlainValue[],
): Promise<void> {
  const moves = wanted.map(({ server, place, suggestedName: name }) => ({ server, place, name }));
  const { moved, refused } = await api.moveToSecrets(moves);
  const words = `Moved ${formatPlural(moved.length, 'value')} to secrets.`;
  if (moved.length > 0) manage.setNote({ kind: 'done', words, undo: () => api.moveBack(moved) });
  const [first] = refused;
  if (first !== undefined) throw Object.assign(new Error(first.error.message), first.error);
}
