import type { Program } from './programs.ts';
import type { Finding, Scenario, Way } from './scenarios.ts';
import type { Tool } from './tools.ts';

/** What was seen of one program. */
export interface Result {
  readonly program: Program | Tool;
  /** Undefined where npm did not give it. */
  readonly version: string | undefined;
  readonly findings: Finding[];
}

const FAULTS: readonly Scenario[] = [
  'server killed in a call',
  'server frozen in a call',
  'server restarted',
  'server stopped, then started',
  'panel killed between calls',
  'panel killed in a call',
];
const OTHERS: readonly Scenario[] = [
  'call of 90 s with progress',
  'silent call of 90 s',
  'answer of 1 MiB',
  'new tool announced',
  'token revoked',
  'started before the panel',
];

/** docs/clients.md, whole. */
export function clientsPage(results: readonly Result[]): string {
  const programs = results.filter(({ findings }) => findings.some(({ way }) => way === 'stdio'));
  const tools = results.filter((result) => !programs.includes(result));
  const day = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length);
  return [
    '# Clients',
    '',
    `Written by \`npm run test:clients -- --page\` on ${day}, on Linux and Node ${process.versions.node}, and nothing here is from elsewhere. Each`,
    'program comes from npm and runs with a home of its own, against a scripted model on this machine and one stdio server. A fault',
    'happens within a call, or between two calls, of *one* session, which nobody restarts; “works” is the very next call, “works',
    'after 9 s” a later one of the same session. Versions: ' +
      `${results.map(({ program, version }) => `${program.title} ${version ?? 'was not installed'}`).join(', ')}.`,
    '',
    '## One session through faults',
    '',
    ...table(
      ['', 'through the panel', 'on plain stdio'],
      FAULTS.map((scenario) => [
        scenario,
        countOf(programs, scenario, 'gateway'),
        countOf(programs, scenario, 'stdio'),
      ]),
    ),
    '',
    'Through the panel, each program:',
    '',
    ...outcomes([...programs, ...tools.filter(({ findings }) => findings.length > 2)], FAULTS, 'gateway'),
    '',
    `On plain stdio, where each program starts a copy of the server itself:`,
    '',
    ...outcomes(programs, FAULTS.slice(0, 2), 'stdio'),
    '',
    '## What else was tried through the panel',
    '',
    ...outcomes(programs, OTHERS, 'gateway'),
    '',
    '## What programs tell their model',
    '',
    ...[
      'server killed in a call',
      'server frozen in a call',
      'server stopped, then started',
      'token revoked',
    ].flatMap((scenario) => [
      `After “${scenario}”:`,
      '',
      ...programs.flatMap((result) => saidOf(result, scenario)),
      '',
    ]),
  ].join('\n');
}

function outcomes(results: readonly Result[], scenarios: readonly Scenario[], way: Way): string[] {
  const cells = (result: Result) => scenarios.map((scenario) => find(result, scenario, way)?.outcome ?? '–');
  return table(
    ['', ...scenarios],
    results.map((result) => [result.program.title, ...cells(result)]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

function countOf(results: readonly Result[], scenario: Scenario, way: Way): string {
  const found = results.flatMap((result) => find(result, scenario, way) ?? []);
  if (found.length === 0) return '–';
  return `${found.filter(({ holds }) => holds).length} of ${found.length} go on`;
}

function saidOf(result: Result, scenario: string): string[] {
  const said = find(result, scenario, 'gateway')?.said?.replaceAll(/\s+/g, ' ').replaceAll('`', "'").trim();
  return said === undefined ? [] : [`- ${result.program.title}: \`${said}\``];
}

function find({ findings }: Result, scenario: string, way: Way): Finding | undefined {
  return findings.find((finding) => finding.scenario === scenario && finding.way === way);
}
