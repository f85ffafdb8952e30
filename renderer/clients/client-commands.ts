import type { Services } from '../services.ts';

/** Asks in the page what a renewal or a revocation costs; does a revocation at once where nobody is there to answer. */
export function askOfClient(
  services: Services,
  kind: 'renew-client' | 'revoke-client',
  client: string,
): void {
  const { manage, panel } = services;
  if (kind === 'revoke-client' && !panel.getState().asksQuestions) return void revokeClient(services, client);
  manage.open({ kind, client });
}

export const revokeKey = (client: string): string => `revoke client ${client}`;

/** Never rejects: the outcome is the ask's. Resolves with whether it was revoked. */
export async function revokeClient({ api, asks, clients }: Services, client: string): Promise<boolean> {
  const settled = await asks.run(revokeKey(client), () => api.revokeClient(client));
  await clients.refresh();
  return settled?.phase === 'done';
}
