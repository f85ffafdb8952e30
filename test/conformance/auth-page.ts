import { fileURLToPath } from 'node:url';
import type { ScenarioResult } from './run-suite.ts';

export const PAGE = fileURLToPath(new URL('../../docs/conformance.md', import.meta.url));
export const SUITES = ['@modelcontextprotocol/conformance', 'conformance-next'] as const;

/** What one version of the suite said. */
export interface SignInColumn {
  readonly title: string;
  readonly results: ReadonlyMap<string, ScenarioResult>;
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

const HEAD = '## Signing in';

/** The section about sign-ins of a page, to its end. */
export const signInSection = (page: string): string =>
  page.includes(HEAD) ? page.slice(page.indexOf(HEAD)) : '';

/** The page with its section about sign-ins as it came out. @param other a sign-in at an issuer besides the suite's */
export function signInPage(
  page: string,
  columns: readonly SignInColumn[],
  other: { readonly title: string; readonly result: ScenarioResult },
) {
  const row = (...cells: string[]) => `| ${cells.join(' | ')} |`;
  const scenarios = [...new Set(columns.flatMap(({ results }) => [...results.keys()]))];
  const isLost = (scenario: string) =>
    !NOT_OURS.has(scenario) && columns.some(({ results }) => results.get(scenario)?.outcome === 'failed');
  const mark = (outcome: string | undefined) =>
    outcome === undefined ? '' : outcome === 'passed' ? 'pass' : outcome === 'failed' ? '**FAIL**' : '–';
  const section = [
    HEAD,
    '',
    'Written by `npm run conformance -- auth`: each client scenario `auth/*` of the suite, one by one, in its release and its next',
    'version, against the whole core with the suite’s server as its one server (`test/conformance/auth-client.ts`).',
    '',
    row('scenario', ...columns.map(({ title }) => title), 'remark'),
    row('---', ...columns.map(() => '---'), '---'),
    ...scenarios.map((scenario) =>
      row(
        scenario,
        ...columns.map(({ results }) => mark(results.get(scenario)?.outcome)),
        NOT_OURS.get(scenario) ?? '',
      ),
    ),
    '',
    `A sign-in, a call, a renewal and a sign-out at ${other.title}: ${mark(other.result.outcome)}.`,
    '',
  ];
  const before = page.slice(0, page.length - signInSection(page).length).trimEnd();
  return {
    page: `${before}\n\n${section.join('\n')}`,
    isAsExpected: other.result.outcome === 'passed' && !scenarios.some(isLost),
  };
}
