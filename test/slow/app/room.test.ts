import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeMonth } from '../../fixtures/month/write-month.ts';
import { usePanels, type DrivenPanel } from '../../e2e/harness.ts';
import {
  MOST_SERVERS,
  RoomHome,
  roomAt,
  roomSizes,
  type RoomSize,
  type RoomState,
} from '../../e2e/support/room.ts';

/** Rows seen whole at each size, and buttons of cards that are not: no less of the former, no more of the latter. */
type Floor = Readonly<Record<RoomSize, readonly [rows: number, hiddenButtons: number]>>;

/**
 * What the overview shows now. These are floors and no goals: whoever gives the list more room raises them.
 */
const floors: readonly (readonly [name: string, state: RoomState, floor: Floor])[] = [
  [
    '25 servers, all fine',
    { servers: 25, failed: 0 },
    { least: [8, 0], small: [10, 0], large: [17, 0], doubled: [1, 0] },
  ],
  [
    '25 servers, and a note that servers.json is not in force',
    { servers: 25, failed: 0, isBroken: true },
    { least: [4, 0], small: [8, 0], large: [14, 0], doubled: [0, 0] },
  ],
  [
    '25 servers, three of which failed',
    { servers: 25, failed: 3 },
    { least: [1, 3], small: [4, 0], large: [12, 0], doubled: [0, 13] },
  ],
  [
    '25 servers, three of which failed, and a note',
    { servers: 25, failed: 3, isBroken: true },
    { least: [0, 3], small: [2, 0], large: [10, 0], doubled: [0, 13] },
  ],
  [
    '25 servers, three of which failed with an error of 8 kB',
    { servers: 25, failed: 3, errorLength: 8000 },
    { least: [1, 12], small: [2, 12], large: [7, 12], doubled: [0, 13] },
  ],
  [
    '7 servers, three of which failed',
    { servers: 7, failed: 3 },
    { least: [1, 3], small: [5, 0], large: [7, 0], doubled: [0, 13] },
  ],
  [
    '7 servers, all fine',
    { servers: 7, failed: 0 },
    { least: [7, 0], small: [7, 0], large: [7, 0], doubled: [2, 0] },
  ],
];

const panels = usePanels('all');
/** Servers of the month that have habits come first. */
const UNSTABLE = 7;

describe('the list of servers in the window', () => {
  const folder = mkdtempSync(join(tmpdir(), 'room-'));
  let panel: DrivenPanel;
  let home: RoomHome;
  beforeAll(async () => {
    await writeMonth({ home: join(folder, 'home'), now: Date.now(), servers: UNSTABLE + MOST_SERVERS });
    panel = await panels.launch({ home: join(folder, 'home') });
    home = new RoomHome(panel);
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(floors)(
    'has no less room than before with %s',
    async (_, state, floor) => {
      await home.become(state);
      for (const size of Object.keys(roomSizes) as RoomSize[]) {
        const { rows, hiddenButtons } = await roomAt(panel, size);
        const [leastRows, mostHidden] = floor[size];
        expect(rows, `rows at ${size}`).toBeGreaterThanOrEqual(leastRows);
        expect(hiddenButtons, `buttons of cards out of view at ${size}`).toBeLessThanOrEqual(mostHidden);
      }
    },
    300_000,
  );
});
