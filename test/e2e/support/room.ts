import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DrivenPanel } from '../harness.ts';
import { resize } from './driving.ts';
import { waitUntil } from './wait-until.ts';

/** Sizes of the window in its own pixels, the last one at twice the size of everything. */
export const roomSizes = {
  least: { width: 900, height: 600, zoom: 1 },
  small: { width: 1280, height: 800, zoom: 1 },
  large: { width: 1920, height: 1080, zoom: 1 },
  doubled: { width: 1280, height: 800, zoom: 2 },
} as const;
export type RoomSize = keyof typeof roomSizes;

/** State of a home. */
export interface RoomState {
  readonly servers: number;
  /** How many of them fail, the last ones of the file. */
  readonly failed: number;
  /** Characters in the error of each that fails. */
  readonly errorLength?: number;
  /** The file cannot be read, and the window has a note on that. */
  readonly isBroken?: boolean;
}

/** What of the overview is in view. */
export interface Room {
  /** Rows of servers that are seen whole. */
  readonly rows: number;
  /** Buttons and links on cards that are not seen whole. */
  readonly hiddenButtons: number;
}

/** Most servers of a state. */
export const MOST_SERVERS = 150;
const STEADY_MS = 150;
const LIMIT_MS = 180_000;

/** Brings the servers of a home into a state by editing its servers.json, as a person would. */
export class RoomHome {
  readonly #panel: DrivenPanel;
  readonly #path: string;
  readonly #entries: readonly (readonly [string, unknown])[];

  constructor(panel: DrivenPanel) {
    this.#panel = panel;
    this.#path = join(panel.home, 'servers.json');
    const { mcpServers } = JSON.parse(readFileSync(this.#path, 'utf8')) as { mcpServers: object };
    // Servers that a month made unstable have cards of their own, and are left out.
    this.#entries = Object.entries(mcpServers).slice(-MOST_SERVERS);
  }

  async become({ servers, failed, errorLength = 40, isBroken = false }: RoomState): Promise<void> {
    const command = 'not-installed-'.padEnd(errorLength, 'x');
    const entries = this.#entries.slice(0, servers);
    const changed = entries.map(([name, entry], index) => [
      name,
      index < servers - failed ? entry : { command },
    ]);
    const text = JSON.stringify({ mcpServers: Object.fromEntries<unknown>(changed as [string, unknown][]) });
    await this.#write(text, async () => {
      const { servers: views, config } = await this.#panel.snapshot();
      const kinds = views.map(({ state }) => state.kind);
      return (
        config.error === undefined &&
        kinds.filter((kind) => kind === 'failed').length === failed &&
        kinds.filter((kind) => kind === 'running').length === servers - failed &&
        views.filter(({ lastError }) => (lastError?.message.length ?? 0) >= errorLength).length >= failed
      );
    });
    if (!isBroken) return;
    await this.#write(
      `${text.slice(0, -1)},`,
      async () => (await this.#panel.snapshot()).config.error !== undefined,
    );
  }

  async #write(text: string, isDone: () => Promise<boolean>): Promise<void> {
    writeFileSync(`${this.#path}.new`, text);
    renameSync(`${this.#path}.new`, this.#path);
    await waitUntil('the servers of the home', isDone, LIMIT_MS);
  }
}

/** What is in view at that size, once nothing moves any more. */
export async function roomAt({ app, page }: DrivenPanel, size: RoomSize): Promise<Room> {
  const { width, height, zoom } = roomSizes[size];
  await resize({ app }, width, height);
  await app.evaluate(({ BrowserWindow }, factor) => {
    for (const { webContents } of BrowserWindow.getAllWindows()) webContents.zoomFactor = factor;
  }, zoom);
  // The page's security policy refuses functions of the driver that are waited for.
  await waitUntil('the size', async () => {
    const [innerWidth, innerHeight] = await page.evaluate<number[]>('[innerWidth, innerHeight]');
    return innerWidth === width / zoom && innerHeight === height / zoom;
  });
  let before = '';
  let room: Room | undefined;
  await waitUntil('nothing to move', async () => {
    await page.waitForTimeout(STEADY_MS);
    room = await page.evaluate<Room>(MEASURE);
    const [last, now] = [before, JSON.stringify(room)];
    before = now;
    return last === now;
  });
  if (room === undefined) throw new Error('nothing was measured');
  return room;
}

/** Runs in the page: what is cut off by the window, or by anything around it that scrolls or clips, is not seen. */
const MEASURE = `(() => {
  const isSeen = (element) => {
    const own = element.getBoundingClientRect();
    if (own.width === 0 || own.height === 0) return false;
    const fits = ({ left, top, right, bottom }) =>
      own.left >= left - 1 && own.top >= top - 1 && own.right <= right + 1 && own.bottom <= bottom + 1;
    for (let parent = element.parentElement; parent !== null; parent = parent.parentElement)
      if (getComputedStyle(parent).overflow !== 'visible' && !fits(parent.getBoundingClientRect())) return false;
    return fits({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
  };
  const all = (selector) => [...document.querySelectorAll(selector)];
  return {
    rows: all('[role="row"][data-server]').filter(isSeen).length,
    hiddenButtons: all('[aria-label="Needs attention"] li :is(button, a)').filter((one) => !isSeen(one)).length,
  };
})()`;
