import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DrivenPanel, StartedPanel } from '../harness.ts';
import { waitUntil } from './wait-until.ts';

// What tests find in the window of a panel, and do to it.

export const row = ({ page }: DrivenPanel, name: string) => page.getByRole('row', { name, exact: true });
export const button = ({ page }: DrivenPanel, name: string) =>
  page.getByRole('button', { name, exact: true });
export const dialog = ({ page }: DrivenPanel, name: string) =>
  page.getByRole('dialog', { name, exact: true });

/** Waits until the row of a server has this word for its state. */
export const inState = (panel: DrivenPanel, server: string, word: string) =>
  row(panel, server).getByText(word, { exact: true }).waitFor();

/** Waits until the rows of these servers say that they run. */
export async function running(panel: DrivenPanel, ...servers: readonly string[]): Promise<void> {
  for (const server of servers) await inState(panel, server, 'Running');
}

/** Opens a section of a server's page, once the server runs. */
export async function openSection(panel: DrivenPanel, server: string, section: string): Promise<void> {
  await running(panel, server);
  await panel.page.getByRole('link', { name: `Open ${server}`, exact: true }).click();
  await panel.page.getByRole('link', { name: section, exact: true }).click();
}

/** Waits until the terminal has said that a server came into a state. */
export const stateIs = (panel: StartedPanel, server: string, kind: string, limitMs?: number) =>
  waitUntil(
    `${server} to be ${kind}`,
    () => panel.stdout().some((line) => line.split(' ').slice(1, 3).join(' ') === `${server} ${kind}`),
    limitMs,
  );

/** Waits until all servers of the snapshot run. */
export const allRun = (panel: DrivenPanel, limitMs?: number) =>
  waitUntil(
    'all servers to run',
    async () => (await panel.snapshot()).servers.every(({ state }) => state.kind === 'running'),
    limitMs,
  );

let calls = 0;

interface CallDetail {
  readonly args?: Readonly<Record<string, unknown>>;
  readonly callId?: string;
  readonly context?: string;
}

/** Calls a tool as the page does. */
export function callTool<T>(
  panel: Pick<DrivenPanel, 'call'>,
  server: string,
  tool: string,
  { args = {}, callId = `call-${(calls += 1)}`, ...more }: CallDetail = {},
): Promise<T> {
  const params = { name: tool, arguments: args };
  return panel.call<T>('callServer', { callId, ...more, name: server, method: 'tools/call', params });
}

/** Hides, shows or closes the window, as its own buttons would. */
export const windowDoes = ({ app }: DrivenPanel, what: 'hide' | 'show' | 'close') =>
  app.evaluate(({ BrowserWindow }, method) => BrowserWindow.getAllWindows()[0]?.[method](), what);

const isWindowVisible = ({ app }: DrivenPanel) =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() === true);

export const windowIsShown = (panel: DrivenPanel) =>
  waitUntil('the window to be shown', () => isWindowVisible(panel));

export const windowIsHidden = (panel: DrivenPanel) =>
  waitUntil('the window to be hidden', async () => !(await isWindowVisible(panel)));

/** Gives the content of the window a size, in its own pixels. */
export const resize = ({ app }: Pick<DrivenPanel, 'app'>, width: number, height: number) =>
  app.evaluate(
    ({ BrowserWindow }, [x, y]) => BrowserWindow.getAllWindows()[0]?.setContentSize(x!, y!),
    [width, height],
  );

/** Waits until the app has left by itself. Returns its exit code. */
export async function leaves(panel: StartedPanel): Promise<number | null | undefined> {
  await waitUntil('the app to leave', () => panel.exitCode() !== undefined);
  return panel.exitCode();
}

/** Resolves when the panel has taken that many further samples of the server: so many ticks have passed. */
export async function samplesCome(panel: DrivenPanel, server: string, count: number): Promise<void> {
  const from = await panel.page.evaluate<number>('Date.now()');
  await waitUntil(
    `${count} samples of ${server}`,
    async () => (await panel.call<unknown[]>('getHistory', server, from)).length >= count,
  );
}

/** Answers the next dialogs for saving with paths in the folder, under the names that they suggest. */
export async function saveInto({ app }: DrivenPanel, folder: string): Promise<void> {
  await app.evaluate(({ dialog }, into) => {
    const answer = (...args: unknown[]) => {
      const { defaultPath = '' } = args.at(-1) as { defaultPath?: string };
      const name = defaultPath.split(/[\\/]/).at(-1) ?? '';
      return Promise.resolve({ canceled: false, filePath: `${into}/${name}` });
    };
    dialog.showSaveDialog = answer;
  }, folder);
}

type Entry = Readonly<Record<string, unknown>>;

/** Entries as they stand in servers.json. */
export const entriesOf = ({ home }: StartedPanel): Record<string, Entry> =>
  (JSON.parse(readFileSync(join(home, 'servers.json'), 'utf8')) as { mcpServers: Record<string, Entry> })
    .mcpServers;

/** Address of the view in the page. */
export const hashOf = ({ page }: DrivenPanel) => page.evaluate<string>('location.hash');
