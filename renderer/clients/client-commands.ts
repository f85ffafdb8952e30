import type { Services } from '../services.ts';

/** Opens the dialog of a change, or the question before a renewal or a revocation. Without questions, a revocation is carried out at once. */
export function askOfClient(
  services: Services,
  kind: 'renew-client' | 'revoke-client' | 'change-client',
  client: string,
): void {
  const { manage, panel } = services;
  if (kind === 'revoke-client' && !panel.getState().asksQuestions) return void revokeClient(services, client);
  manage.open({ kind, client });
}

export const revokeKey = (client: string): string => `revoke client ${client}`;

/** Revokes a client. Resolves with whether that worked; never rejects, because `asks` keeps the error. */
export async function revokeClient({ api, asks, clients }: Services, client: string): Promise<boolean> {
  const settled = await asks.run(revokeKey(client), () => api.revokeClient(client));
  await clients.refresh();
  return settled?.phase === 'done';
}
