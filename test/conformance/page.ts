import { PINNED } from '../fixtures/gateways/npm-packages.ts';
import type { Outcome, SuiteResult } from './run-suite.ts';

/** What the suite said of one way to the fixture. */
export interface Column {
  readonly title: string;
  readonly results: SuiteResult;
}

const MARKS: Readonly<Record<Outcome, string>> = { passed: 'pass', failed: '**FAIL**', none: '–' };
const ABSENT = '?';

export const outcomeOf = ({ results }: Column, scenario: string): Outcome | undefined =>
  results.get(scenario)?.outcome;

/** How many scenarios came out so. */
export const count = ({ results }: Column, outcome: Outcome): number =>
  [...results.values()].filter((result) => result.outcome === outcome).length;

/** All scenarios that any column has, in the order of the suite. */
export function scenariosOf(columns: readonly Column[]): string[] {
  return [...new Set(columns.flatMap(({ results }) => [...results.keys()]))];
}

/** What the protocol allows and the gateway does not do. */
const LEFT_OUT = [
  '## What our gateway leaves out',
  '',
  '- Streams cannot be resumed: events have no id, and `Last-Event-ID` is not looked at. A client whose POST breaks off loses the',
  '  answer, though the call is carried out; notifications of its GET stream are kept for it and come with its next request.',
  '- Roots are not passed on: a server that asks for them gets an error.',
  '- Ids that are fractions are taken in messages of up to 64 KiB.',
  '',
];

/** docs/conformance.md, whole. */
export function conformancePage(columns: readonly Column[]): string {
  const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;
  const scenarios = scenariosOf(columns).map((scenario) => {
    const marks = columns.map((column) => {
      const outcome = outcomeOf(column, scenario);
      return outcome === undefined ? ABSENT : MARKS[outcome];
    });
    return row(scenario, ...marks);
  });
  const totals = columns.map((column) => `${count(column, 'passed')} pass, ${count(column, 'failed')} fail`);
  return [
    '# Conformance',
    '',
    `Written by \`npm run conformance\`: all server scenarios of the official suite, \`@modelcontextprotocol/conformance\` ${PINNED['@modelcontextprotocol/conformance']},`,
    `against one stdio server (\`test/fixtures/conformance\`) on Node ${process.versions.node}: as the SDK serves it over HTTP, through our gateway`,
    'with a token, and through two others as they come. The suite speaks HTTP only, so a relay (`test/conformance/stdio-relay.ts`)',
    'stands before what speaks stdio, with a child for each session: the server itself, and the bridge to our gateway.',
    'For `/mcp`, the endpoint for all servers, a proxy gives the names and addresses of the suite the form that they have there;',
    'what looks for the name of a tool in the list does not find it, by design.',
    'In a container, the server is reached as a process is: by the client of the engine, or by the API where the engine is elsewhere',
    '(`npm run conformance -- docker unix:///var/run/docker.sock`). In a pod (`-- kubernetes`), it is a stand-in for a cluster that runs it.',
    '“–”: the scenario neither passed nor failed, because it asks for something optional that is not there. The bar: what passes',
    'directly passes through the gateway, and what passes by the relay passes over the bridge.',
    '',
    row('scenario', ...columns.map(({ title }) => title)),
    row(...Array.from({ length: columns.length + 1 }, () => '---')),
    ...scenarios,
    row('**all**', ...totals),
    '',
    ...remarksOf(columns),
    ...LEFT_OUT,
  ].join('\n');
}

function remarksOf(columns: readonly Column[]): string[] {
  const lines = columns.flatMap(({ title, results }) =>
    [...results]
      .filter(([, { outcome }]) => outcome === 'failed')
      .map(([scenario, { remarks }]) => `- ${title}, ${scenario}: ${inOneLine(remarks.join('; '))}`),
  );
  return lines.length === 0 ? [] : ['## What failed, in the words of the suite', '', ...lines, ''];
}

const MAX_CHARS = 200;

function inOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line;
}
