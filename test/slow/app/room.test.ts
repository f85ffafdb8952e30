import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
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

/** Rows that every window has in view, whatever has to be told beside them; every button of every card is. */
const goal: Floor = { least: [5, 0], small: [8, 0], large: [15, 0], doubled: [3, 0] };
const ofSeven: Floor = { least: [5, 0], small: [7, 0], large: [7, 0], doubled: [3, 0] };

const floors: readonly (readonly [name: string, state: RoomState, floor: Floor])[] = [
  ['25 servers, all fine', { servers: 25, failed: 0 }, goal],
  ['25 servers, and a note on servers.json', { servers: 25, failed: 0, isBroken: true }, goal],
  ['25 servers, one of which failed, and a note', { servers: 25, failed: 1, isBroken: true }, goal],
  ['25 servers, three of which failed', { servers: 25, failed: 3 }, goal],
  ['25 servers, three of which failed, and a note', { servers: 25, failed: 3, isBroken: true }, goal],
  [
    '25 servers, three of which failed with an error of 8 kB',
    { servers: 25, failed: 3, errorLength: 8000 },
    goal,
  ],
  [
    '25 servers, two of which failed with an error of 8 kB',
    { servers: 25, failed: 2, errorLength: 8000 },
    goal,
  ],
  ['7 servers, three of which failed', { servers: 7, failed: 3 }, ofSeven],
  ['7 servers, all fine', { servers: 7, failed: 0 }, ofSeven],
  ['100 servers, 50 of which failed', { servers: 100, failed: 50 }, goal],
  ['100 servers, 50 of which failed, and a note', { servers: 100, failed: 50, isBroken: true }, goal],
  ['150 servers, all fine', { servers: 150, failed: 0 }, goal],
];

const panels = usePanels('all');
/** Servers of the month that have habits come first. */
const UNSTABLE = 7;

describe('the list of servers in the window', () => {
  let panel: DrivenPanel;
  let home: RoomHome;
  beforeAll(async () => {
    const folder = join(panels.tempFolder('room-'), 'home');
    await writeMonth({ home: folder, now: Date.now(), servers: UNSTABLE + MOST_SERVERS });
    panel = await panels.launch({ home: folder });
    home = new RoomHome(panel);
  }, 300_000);

  it.each(floors)(
    'has its room with %s',
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
