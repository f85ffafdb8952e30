import { expect } from 'vitest';
import type { Locator } from 'playwright-core';
import type { Sample, Snapshot } from '../../shared/domain.ts';
import { BYTES_PER_MIB } from '../../shared/units.ts';
import { waitUntil } from '../e2e/support/wait-until.ts';
import type { ChromiumPanel } from './harness.ts';

/** Links to the servers, which stand beside every view. */
const SERVER_LINKS = 'nav[aria-label="Views"] a[href^="#/servers/"]';

/** Waits until the window names the servers that the core has, all of them and no other. */
export async function showsEveryServer(panel: ChromiumPanel): Promise<void> {
  const links = panel.page.locator(SERVER_LINKS);
  await expect
    .poll(async () => {
      const hrefs = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
      return hrefs.map((href) => decodeURIComponent(href?.split('/')[2] ?? '')).sort();
    })
    .toEqual((await panel.call<Snapshot>('getSnapshot')).servers.map(({ name }) => name).sort());
}

/** Waits until a memory figure below `place` is one that the core measured of the server, as far as it is written out. */
export async function showsMeasuredMemory(
  panel: ChromiumPanel,
  server: string,
  place: Locator,
): Promise<void> {
  await waitUntil(`a memory figure of ${server}`, async () => {
    const shown = [...(await place.innerText()).matchAll(/(\d+)(?:\.(\d+))?\sMiB/g)];
    const samples = await panel.call<Sample[]>('getHistory', server, 0);
    return shown.some(([, whole, decimals = '']) =>
      samples.some(({ memoryBytes }) => {
        const figure = decimals === '' ? whole : `${whole}.${decimals}`;
        return memoryBytes !== undefined && (memoryBytes / BYTES_PER_MIB).toFixed(decimals.length) === figure;
      }),
    );
  });
}
