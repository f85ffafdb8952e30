import type { Finding, Scenario, Way } from './scenarios.ts';

interface Named {
  readonly title: string;
  readonly bin: string;
}

/** Findings of one program in the version that was looked at last. */
interface Row extends Named {
  readonly findings: readonly Finding[];
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
];
const AWAY: readonly Scenario[] = [
  'started 60 s before the panel',
  'panel away for 0 s',
  'panel away for 15 s',
  'panel away for 60 s',
  'panel killed, called at once',
];

const MOVES: readonly Scenario[] = ['found by the panel', 'moved', 'put back', 'its own copy again'];

/** docs/clients.md, whole, of the programs in their order. */
export function clientsPage(all: readonly Named[], findings: readonly Finding[]): string {
  const rows = all.flatMap((named) => rowOf(named, findings));
  const programs = rows.filter((row) => find(row, 'server killed in a call', 'stdio') !== undefined);
  const sessions = rows.filter((row) => find(row, 'server killed in a call', 'gateway') !== undefined);
  return [
    '# Clients',
    '',
    `Written by \`npm run test:clients -- --page\`, on Linux and Node ${process.versions.node}; nothing here is from elsewhere. Each program`,
    'comes from npm and runs with its own home folder, against a scripted model on this machine and one stdio server. A fault',
    'happens within a call, or between two calls, of *one* session, which is not restarted. “Works” is the very next call, “works',
    'after 9 s” a later one of the same session. Times are of a machine with two cores that did other work besides.',
    '',
    ...table(
      ['', 'version', 'seen on'],
      rows.map(({ title, findings: [first] }) => [title, first?.version ?? '', first?.day ?? '']),
    ),
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
    ...outcomes(sessions, FAULTS, 'gateway'),
    '',
    `On plain stdio, where each program starts a copy of the server itself:`,
    '',
    ...outcomes(programs, FAULTS.slice(0, 2), 'stdio'),
    '',
    '## What else was tried through the panel',
    '',
    ...outcomes(programs, OTHERS, 'gateway'),
    '',
    '## While the panel is away',
    '',
    'The panel is killed, and the doorkeeper keeps its port. In the last case it starts the panel for the call that it holds.',
    '',
    ...outcomes(programs, AWAY, 'gateway'),
    '',
    '## Moved to the panel, and back',
    '',
    'The panel finds the servers in the file of each program, one of them added by its own command where it has one.',
    '',
    ...outcomes(programs, MOVES, 'gateway'),
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
      ...programs.flatMap((row) => saidOf(row, scenario)),
      '',
    ]),
  ].join('\n');
}

function outcomes(results: readonly Row[], scenarios: readonly Scenario[], way: Way): string[] {
  const cells = (row: Row) => scenarios.map((scenario) => find(row, scenario, way)?.outcome ?? '–');
  return table(
    ['', ...scenarios],
    results.map((row) => [row.title, ...cells(row)]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

function countOf(results: readonly Row[], scenario: Scenario, way: Way): string {
  const found = results.flatMap((row) => find(row, scenario, way) ?? []);
  if (found.length === 0) return '–';
  return `${found.filter(({ holds }) => holds).length} of ${found.length} go on`;
}

function saidOf(row: Row, scenario: string): string[] {
  const said = find(row, scenario, 'gateway')?.said?.replaceAll(/\s+/g, ' ').replaceAll('`', "'").trim();
  return said === undefined ? [] : [`- ${row.title}: \`${said}\``];
}

function find({ findings }: Row, scenario: string, way: Way): Finding | undefined {
  return findings.findLast((finding) => finding.scenario === scenario && finding.way === way);
}

function rowOf({ title, bin }: Named, findings: readonly Finding[]): Row[] {
  const own = findings.filter((finding) => finding.bin === bin);
  const last = own.at(-1);
  if (last === undefined) return [];
  return [{ title, bin, findings: own.filter(({ version }) => version === last.version) }];
}
