import type { DrivenPanel } from '../harness.ts';
import { waitUntil } from './wait-until.ts';

/** Resolves when the panel has taken that many further samples of the server: so many ticks have passed. */
export async function samplesCome(panel: DrivenPanel, server: string, count: number): Promise<void> {
  const from = await panel.page.evaluate<number>('Date.now()');
  await waitUntil(
    `${count} samples of ${server}`,
    async () => (await panel.call<unknown[]>('getHistory', server, from)).length >= count,
  );
}
