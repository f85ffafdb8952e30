import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeMonth } from '../fixtures/month/write-month.ts';
import { usePanels, type DrivenPanel } from './harness.ts';
import { RoomHome, roomAt, type RoomSize, type RoomState } from './support/room.ts';

const panels = usePanels('all');
const sizes: readonly RoomSize[] = ['least', 'small', 'large', 'doubled'];
const folder = mkdtempSync(join(tmpdir(), 'room-'));
let panel: DrivenPanel;
let home: RoomHome;

beforeAll(async () => {
  await writeMonth({ home: join(folder, 'home'), now: Date.now(), servers: 25 });
  panel = await panels.launch({ home: join(folder, 'home') });
  home = new RoomHome(panel);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each<[string, RoomState]>([
  ['25 servers, all fine', { servers: 25, failed: 0 }],
  ['25 servers and a note', { servers: 25, failed: 0, isBroken: true }],
  ['25 servers, three failed', { servers: 25, failed: 3 }],
  ['25 servers, three failed and a note', { servers: 25, failed: 3, isBroken: true }],
  ['25 servers, three failed with an error of 8 kB', { servers: 25, failed: 3, errorLength: 8000 }],
  ['7 servers, three failed', { servers: 7, failed: 3 }],
  ['7 servers, all fine', { servers: 7, failed: 0 }],
])(
  '%s',
  async (_, state) => {
    await home.become(state);
    const found: unknown[] = [];
    for (const size of sizes) found.push([size, await roomAt(panel, size)]);
    console.log('ROOM', JSON.stringify(state), JSON.stringify(found));
    expect(found).toHaveLength(4);
  },
  300_000,
);
