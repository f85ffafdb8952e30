/**
 * Functions and files of the product that run for one act on the main thread, counted by V8's precise coverage around one
 * act after ten warm ones; the least of five, because a tick of something else may fall into one. Prints one line of JSON:
 * `{ [act]: { functions, files } }`. For `npm run figures`.
 */
import { Session, type Profiler } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { openTestPanel } from '../core/panel/open-test-panel.ts';
import { eventually } from '../core/support/eventually.ts';
import { tinyServer } from '../fixtures/fixture-server.ts';
import { connectClient } from '../fixtures/gateways/connect-client.ts';

const WARM_ACTS = 10;
const COUNTED_ACTS = 5;
const SERVER = 'one';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PRODUCT = /^(?:electron|shared)\//;

interface Ran {
  readonly functions: number;
  readonly files: number;
}

const opened = await openTestPanel({ [SERVER]: tinyServer(SERVER) });
const { panel } = opened;
try {
  panel.start();
  await eventually(isRunning);
  await eventually(() => panel.gateway.status().isListening);
  const { token } = await panel.gateway.createClient({ name: 'acts', servers: [SERVER] });
  const url = `${panel.gateway.status().url}/servers/${SERVER}/mcp`;
  const { client, close } = await connectClient({ url, token });
  const call = async () => {
    await client.callTool({ name: 'anything', arguments: {} });
  };
  const acts = new Map<string, () => Promise<unknown>>([
    ['call', call],
    ['sample', nextSample],
    ['restart', restart],
  ]);
  const ran = new Map<string, Ran>();
  for (const [name, act] of acts) ran.set(name, await countOne(act));
  await close();
  console.log(JSON.stringify(Object.fromEntries(ran)));
} finally {
  await opened.dispose();
}
process.exit(0);

function isRunning(): boolean {
  return panel.getSnapshot().servers.every(({ state }) => state.kind === 'running');
}

/** Resolves with the next sample of the server whose measurement began after the previous one. */
function nextSample(): Promise<void> {
  return new Promise((resolve) => {
    const stop = panel.onPush(({ samples = [], servers = [] }) => {
      if (![...samples, ...servers].some(({ name, sample }) => name === SERVER && sample !== undefined))
        return;
      stop();
      resolve();
    });
  });
}

async function restart(): Promise<void> {
  const before = panel.getSnapshot().servers[0]!.generation;
  await panel.servers.restart(SERVER);
  await eventually(() => isRunning() && panel.getSnapshot().servers[0]!.generation > before);
}

async function countOne(act: () => Promise<unknown>): Promise<Ran> {
  for (let warm = 0; warm < WARM_ACTS; warm += 1) await act();
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const counted: Ran[] = [];
    for (let count = 0; count < COUNTED_ACTS; count += 1) {
      await session.post('Profiler.takePreciseCoverage');
      await act();
      counted.push(ranOf((await session.post('Profiler.takePreciseCoverage')).result));
    }
    return counted.reduce((least, one) => (one.functions < least.functions ? one : least));
  } finally {
    session.disconnect();
  }
}

function ranOf(scripts: readonly Profiler.ScriptCoverage[]): Ran {
  const called = scripts
    .filter(({ url }) => url.startsWith('file:') && PRODUCT.test(fileURLToPath(url).slice(ROOT.length)))
    .map(({ functions }) => functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length)
    .filter((count) => count > 0);
  return { functions: called.reduce((sum, count) => sum + count, 0), files: called.length };
}
