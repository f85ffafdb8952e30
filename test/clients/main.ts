/**
 * Real MCP clients from npm, driven through faults of a server and of the panel, in one session each, and through the same
 * faults of the server on plain stdio. Arguments: a folder that keeps the programs, then names of programs, all without any;
 * `--page` writes docs/clients.md, `--moves` only moves servers to the panel and back, `--plots=early,away` only plays these conversations. The last line is `N passed, N failed, N skipped`.
 */
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../shared/message-of.ts';
import { killAll, processesOfTest } from '../e2e/support/processes.ts';
import { installNewest } from '../fixtures/gateways/npm-packages.ts';
import { Conversation } from './conversation.ts';
import { FaultyServer, Panel } from './faulty-server.ts';
import { moveAndBack } from './moving.ts';
import { clientsPage } from './page.ts';
import { programs, type Program, type Way } from './programs.ts';
import { oneCall, programPlots, relayPlot, type Finding, type Plot, type Report } from './scenarios.ts';
import type { Session } from './session.ts';
import { tools, type Tool } from './tools.ts';

/** Programs mostly wait; more than these at once would make each other wait. */
const AT_ONCE = 3;
const PLOTS = '--plots=';
const PAGE = join(import.meta.dirname, '../../docs/clients.md');

/** What this run saw of one program. */
interface Result {
  readonly program: Program | Tool;
  /** Empty where npm did not give it. */
  readonly version: string;
  readonly findings: Finding[];
}

type Open = (way: Way, id: string) => Promise<Session>;

/** Marks of what runs now, which ends with this process. */
const running = new Set<string>();
process.on('exit', () => running.forEach((id) => killAll(processesOfTest(id))));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

const [, , cache = '', ...options] = process.argv;
const names = options.filter((option) => !option.startsWith('--'));
const all = [...programs, ...tools];
const unknown = names.find((name) => all.every(({ bin }) => bin !== name));
if (unknown !== undefined)
  throw new Error(`"${unknown}" is none of ${all.map(({ bin }) => bin).join(', ')}.`);

const results: Result[] = [];
for (const program of all.filter(({ bin }) => names.length === 0 || names.includes(bin))) {
  const version = await installNewest(program.package, folderOf(program));
  results.push({ program, version: version ?? '', findings: [] });
  if (version === undefined) console.log(`${program.title} is skipped: npm does not give ${program.package}`);
}
const jobs = jobsOf(results.filter(({ version }) => version !== ''));
await Promise.all(Array.from({ length: AT_ONCE }, work));
if (options.includes('--page')) writeFileSync(PAGE, clientsPage(all, readFindings()));
process.exit(report() ? 0 : 1);

async function work(): Promise<void> {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await job();
}

/** Programs take turns, so that what all of them did in the most important conversations is known first. */
function jobsOf(installed: readonly Result[]): (() => Promise<void>)[] {
  const wanted = options
    .find((option) => option.startsWith(PLOTS))
    ?.slice(PLOTS.length)
    .split(',');
  const plots = Object.entries(programPlots).filter(([name]) => wanted?.includes(name) ?? true);
  const ofPrograms = plots.flatMap(([name, plot]) =>
    installed.flatMap((result) => {
      const { program } = result;
      if (isTool(program)) return [];
      const output = join(cache, 'output', `${program.bin}-${name}.txt`);
      const command = commandOf(program);
      return () => play(result, plot, (way, id) => Conversation.open({ program, command, output, way, id }));
    }),
  );
  const ofTools = installed.flatMap((result) => {
    const { program } = result;
    if (!isTool(program)) return [];
    const plot = program.hasSessions ? relayPlot : oneCall;
    return () => play(result, plot, (way, id) => program.open(commandOf(program), way, id));
  });
  const ofMoves = installed.flatMap((result) => {
    const { program } = result;
    return isTool(program) ? [] : [() => playMove(result, program)];
  });
  if (wanted) return ofPrograms;
  return options.includes('--moves') ? ofMoves : [...ofTools, ...ofMoves, ...ofPrograms];
}

function isTool(program: Program | Tool): program is Tool {
  return 'open' in program;
}

function folderOf(program: Program | Tool): string {
  return join(cache, program.package.replace('/', '+'));
}

function commandOf(program: Program | Tool): string {
  return join(folderOf(program), 'node_modules', '.bin', program.bin);
}

/** What earlier runs saw as well: a run may be about one program. */
function readFindings(): Finding[] {
  const lines = readFileSync(findingsFile(), 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Finding);
}

function findingsFile(): string {
  return join(cache, 'findings.jsonl');
}

interface Stage {
  readonly folder: string;
  /** Marks of the processes of the program, and of the panel. */
  readonly id: string;
  readonly panelId: string;
  readonly take: Report;
}

/** Does something with a program in a folder of its own, and ends all that was started. */
async function onStage(
  { program, version, findings }: Result,
  way: Finding['way'],
  perform: (stage: Stage) => Promise<void>,
): Promise<void> {
  const id = randomUUID();
  const panelId = `${id}-panel`;
  running.add(id).add(panelId);
  const folder = mkdtempSync(join(tmpdir(), 'clients-'));
  const take: Report = (scenario, seen) => {
    const finding = { bin: program.bin, version, day: today(), way, scenario, ...seen };
    findings.push(finding);
    appendFileSync(findingsFile(), `${JSON.stringify(finding)}\n`);
    const { holds, outcome, said } = finding;
    const words = said === undefined ? '' : ` · ${said.replaceAll(/\s+/g, ' ')}`;
    console.log(
      `${holds ? 'holds' : 'fails'} | ${program.title} | ${way} | ${scenario} | ${outcome}${words}`,
    );
  };
  try {
    await perform({ folder, id, panelId, take });
  } catch (error) {
    take('conversation', { holds: false, outcome: messageOf(error) });
  } finally {
    for (const each of [id, panelId]) killAll(processesOfTest(each));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    running.delete(id);
    running.delete(panelId);
  }
}

/** Plays one conversation of a program with a server and, through the gateway, a panel of its own. */
function play(result: Result, plot: Plot, open: Open): Promise<void> {
  return onStage(result, plot.way, async ({ folder, id, panelId, take }) => {
    const sessions: Session[] = [];
    const server = new FaultyServer(folder, id);
    const panel = await Panel.create(folder, server, panelId);
    try {
      const client = plot.way === 'gateway' ? await panel.begin() : undefined;
      const begin = async () => {
        const session = await open(client?.way ?? { kind: 'stdio', ...server.command }, id);
        sessions.push(session);
        return session;
      };
      await plot.run({ server, panel, clientId: client?.id ?? '', begin }, take);
    } finally {
      for (const session of sessions) await session.end();
      await panel.quit();
    }
  });
}

/** Moves the servers of a program to a panel, and back. */
function playMove(result: Result, program: Program): Promise<void> {
  return onStage(result, 'gateway', async ({ take, ...stage }) => {
    const output = join(cache, 'output', `${program.bin}-moved.txt`);
    await moveAndBack({ ...stage, program, command: commandOf(program), output }, take);
  });
}

/** What holds through the gateway passes. What a program is known not to do is skipped, and so is all of one that npm does not give. */
function report(): boolean {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { program, version, findings } of results) {
    if (version === '') counts.skipped += 1;
    for (const { scenario, holds } of findings.filter(({ way }) => way === 'gateway')) {
      const isKnown = !isTool(program) && program.cannot.some((each) => each === scenario);
      counts[holds ? 'passed' : isKnown ? 'skipped' : 'failed'] += 1;
    }
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts.failed === 0;
}

function today(): string {
  return new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
}
