import { fileURLToPath } from 'node:url';
import { PINNED } from '../fixtures/gateways/npm-packages.ts';
import type { Outcome, ScenarioResult, SuiteResult } from './run-suite.ts';

export const PAGE = fileURLToPath(new URL('../../docs/conformance.md', import.meta.url));

/** What the suite said of one way to the fixture; of sign-ins, what one version of it said. */
export interface Column {
  readonly title: string;
  readonly results: SuiteResult;
}

const MARKS: Readonly<Record<Outcome, string>> = { passed: 'pass', failed: '**FAIL**', none: '–' };

export const outcomeOf = ({ results }: Column, scenario: string): Outcome | undefined =>
  results.get(scenario)?.outcome;

/** How many scenarios came out so. */
export const count = ({ results }: Column, outcome: Outcome): number =>
  [...results.values()].filter((result) => result.outcome === outcome).length;

/** All scenarios that any column has, in the order of the suite. */
export function scenariosOf(columns: readonly Column[]): string[] {
  return [...new Set(columns.flatMap(({ results }) => [...results.keys()]))];
}

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;
const head = (...cells: string[]) => [row(...cells), row(...cells.map(() => '---'))];

const marksOf = (columns: readonly Column[], scenario: string, absent: string) =>
  columns.map((column) => {
    const outcome = outcomeOf(column, scenario);
    return outcome === undefined ? absent : MARKS[outcome];
  });

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
  const scenarios = scenariosOf(columns).map((scenario) => row(scenario, ...marksOf(columns, scenario, '?')));
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
    ...head('scenario', ...columns.map(({ title }) => title)),
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

/** Scenarios of what the panel does not do, with the reason. */
const NOT_OURS: ReadonlyMap<string, string> = new Map([
  [
    'auth/basic-cimd',
    'all checks pass but a “should”: a client id metadata document needs a public page of the product',
  ],
  [
    'auth/authorization-server-migration',
    'asks in an era that the panel does not speak before it asks for a sign-in (held by `core/sign-in/live-sign-in`)',
  ],
  [
    'auth/2025-03-26-oauth-metadata-backcompat',
    '0.1.16 answers for another issuer than it was asked for, which is refused; the next version does not',
  ],
  ['auth/2025-03-26-oauth-endpoint-fallback', 'servers of 2025-03-26 without any metadata, so without S256'],
  ['auth/client-credentials-jwt', 'an extension: programs without a person'],
  ['auth/client-credentials-basic', 'an extension: programs without a person'],
  ['auth/cross-app-access-complete-flow', 'an extension'],
  ['auth/enterprise-managed-authorization', 'an extension'],
  ['auth/dpop', 'an extension'],
  ['auth/dpop-nonce', 'an extension'],
  ['auth/wif-jwt-bearer', 'an extension'],
]);

const SIGN_INS = '## Signing in';

/** The section about sign-ins of a page, to its end. */
export const signInSection = (page: string): string =>
  page.includes(SIGN_INS) ? page.slice(page.indexOf(SIGN_INS)) : '';

/** The page with its section about sign-ins as it came out. @param other a sign-in at an issuer besides the suite's */
export function signInPage(
  page: string,
  columns: readonly Column[],
  other: { readonly title: string; readonly result: ScenarioResult },
) {
  const scenarios = scenariosOf(columns);
  const isLost = (scenario: string) =>
    !NOT_OURS.has(scenario) && columns.some((column) => outcomeOf(column, scenario) === 'failed');
  const section = [
    SIGN_INS,
    '',
    'Written by `npm run conformance -- auth`: each client scenario `auth/*` of the suite, one by one, in its release and its next',
    'version, against the whole core with the suite’s server as its one server (`test/conformance/auth-client.ts`).',
    '',
    ...head('scenario', ...columns.map(({ title }) => title), 'remark'),
    ...scenarios.map((scenario) =>
      row(scenario, ...marksOf(columns, scenario, ''), NOT_OURS.get(scenario) ?? ''),
    ),
    '',
    `A sign-in, a call, a renewal and a sign-out at ${other.title}: ${MARKS[other.result.outcome]}.`,
    '',
  ];
  const before = page.slice(0, page.length - signInSection(page).length).trimEnd();
  return {
    page: `${before}\n\n${section.join('\n')}`,
    isAsExpected: other.result.outcome === 'passed' && !scenarios.some(isLost),
  };
}
