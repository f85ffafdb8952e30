/**
 * Starts real servers again and again, and counts what would be held back although nothing has changed. The servers are the
 * newest of `steady-servers.json`, those that start without an account, kept in a folder for the next run (first argument).
 * Exit code 1 when anything would be held.
 */
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { OfferList } from '../../shared/domain.ts';
import { compareItems } from '../../electron/core/gateway/agreed/changes.ts';
import { itemsIn, type OfferedItem } from '../../electron/core/sessions/offer/offer-items.ts';
import { entryIn, installNewest } from '../fixtures/gateways/npm-packages.ts';

const STARTS = 10;
const TIMEOUT = { timeout: 30_000 };

type Offer = ReadonlyMap<OfferList, ReadonlyMap<string, OfferedItem>>;

const root = process.argv[2] ?? join(tmpdir(), 'mcp-control-panel-steady-servers');
const names = JSON.parse(
  readFileSync(new URL('./steady-servers.json', import.meta.url), 'utf8'),
) as readonly string[];
let alarms = 0;
let steady = 0;
for (const name of names) {
  const folder = join(root, name.replaceAll(/[/@]/g, '_'));
  const version = await installNewest(name, folder);
  const offers: Offer[] = [];
  try {
    if (version === undefined) throw new Error('it could not be installed');
    for (let start = 0; start < STARTS; start += 1) offers.push(await offerOf(entryIn(folder, name), folder));
  } catch (error) {
    console.log(`${name}: not judged, ${error instanceof Error ? error.message : String(error)}`);
    continue;
  }
  const [first = new Map<OfferList, ReadonlyMap<string, OfferedItem>>(), ...later] = offers;
  const held = later.flatMap((offer) =>
    [...offer].flatMap(([list, items]) => compareItems(first.get(list) ?? new Map(), items).changed),
  );
  alarms += held.length;
  steady += 1;
  console.log(
    `${name} ${version}: ${first.get('tools')?.size ?? 0} tools, ${offers.length} starts, ${held.length} held`,
  );
}
console.log(`${steady} servers, ${alarms} false alarms`);
if (alarms > 0) process.exitCode = 1;

/** All lists of one run of a server. */
async function offerOf(entry: string, cwd: string): Promise<Offer> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [entry],
    cwd,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'steady', version: '1.0.0' });
  try {
    await client.connect(transport, TIMEOUT);
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
    const offer = new Map<OfferList, ReadonlyMap<string, OfferedItem>>();
    if (tools) offer.set('tools', itemsIn('tools', await client.listTools({}, TIMEOUT)));
    if (prompts) offer.set('prompts', itemsIn('prompts', await client.listPrompts({}, TIMEOUT)));
    if (resources) offer.set('resources', itemsIn('resources', await client.listResources({}, TIMEOUT)));
    return offer;
  } finally {
    await client.close();
  }
}
