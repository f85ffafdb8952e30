/**
 * `npm run test:clients`: drives real MCP clients from npm through faults of a server and of the panel, in one session each, and
 * through the same faults of a server on plain stdio. Linux only.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killAll, processesOfTest } from '../e2e/support/processes.ts';
import { installNewest } from '../fixtures/gateways/npm-packages.ts';
import { messageOf } from '../../shared/message-of.ts';
import { Conversation } from './conversation.ts';
import { FaultyServer, Panel } from './faulty-server.ts';
import { programs, type Program } from './programs.ts';
import { gatewayConversations, stdioConversations, type Finding } from './scenarios.ts';

const AT_ONCE = 3;
const cache = process.env['MCP_CONTROL_PANEL_CLIENTS_CACHE']!;
const [wanted = '', only = ''] = process.argv.slice(2);
const lines: string[] = [];
const open = new Set<string>();
process.on('exit', () => open.forEach((id) => killAll(processesOfTest(id))));
for (const s of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(s, () => process.exit(1));

async function gateway(program: Program, command: string, name: keyof typeof gatewayConversations) {
  await staged(program, name, 'gateway', async (folder, id, report) => {
    const server = new FaultyServer(folder, id);
    const panel = await Panel.create(folder, server, `${id}-panel`);
    let session: Conversation | undefined;
    try {
      await panel.start();
      await panel.untilServing();
      const client = await panel.newClient();
      const begin = async () => (session = await Conversation.begin({ program, command, way: client.way, id }));
      await gatewayConversations[name]({ server, panel, clientId: client.id, begin }, report);
    } finally {
      writeFileSync(`/tmp/out-${program.bin}-${name}.txt`, session?.output ?? '');
      session?.end();
      await panel.quit();
    }
  });
}
async function stdio(program: Program, command: string, name: keyof typeof stdioConversations) {
  await staged(program, name, 'stdio', async (folder, id, report) => {
    const server = new FaultyServer(folder, id);
    const session = await Conversation.begin({ program, command, way: { kind: 'stdio', ...server.command }, id });
    try { await stdioConversations[name](server, session, report); }
    finally { writeFileSync(`/tmp/out-${program.bin}-stdio-${name}.txt`, session.output); session.end(); }
  });
}
async function staged(program: Program, name: string, way: string, run: (folder: string, id: string, report: (f: Finding) => void) => Promise<void>) {
  const id = randomUUID();
  open.add(id).add(`${id}-panel`);
  const folder = mkdtempSync(join(tmpdir(), 'clients-'));
  const report = (f: Finding) => console.log(`${program.title} | ${way} | ${f.scenario} | ${f.holds ? 'ok' : 'NO'} | ${f.words}`);
  try { await run(folder, id, report); }
  catch (e) { console.log(`${program.title} | ${way} | ${name} | BROKE | ${e instanceof Error ? e.stack : e}`); }
  killAll(processesOfTest(id));
  killAll(processesOfTest(`${id}-panel`));
  rmSync(folder, { recursive: true, force: true });
}
const jobs: (() => Promise<void>)[] = [];
for (const p of programs) {
  if (wanted && !wanted.split(',').includes(p.bin)) continue;
  const command = join(cache, p.package.replace('/', '+'), 'node_modules', '.bin', p.bin);
  for (const n of Object.keys(gatewayConversations) as (keyof typeof gatewayConversations)[]) if (!only || only.split(',').includes(n)) jobs.push(() => gateway(p, command, n));
  for (const n of Object.keys(stdioConversations) as (keyof typeof stdioConversations)[]) if (!only || only.split(',').includes(`stdio-${n}`)) jobs.push(() => stdio(p, command, n));
}
await Promise.all(Array.from({ length: AT_ONCE }, async () => { for (let j = jobs.shift(); j; j = jobs.shift()) await j(); }));
process.exit(0);
