import { join } from 'node:path';
import { writeMonth } from '../../fixtures/month/write-month.ts';
import type { DrivenPanel, Panels } from '../harness.ts';
import { allRun } from './driving.ts';

/** Starts a panel with a month behind so many servers, and waits until all run. */
export async function launchMonth(panels: Panels, servers: number): Promise<DrivenPanel> {
  const home = join(panels.tempFolder('month-'), 'home');
  await writeMonth({ home, now: Date.now(), servers });
  const panel = await panels.launch({ home });
  await allRun(panel, 90_000);
  return panel;
}
