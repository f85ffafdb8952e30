/**
 * Runs the client scenarios of sign-in of the official suite, one by one, in its release and in its next version, against the
 * whole core (`auth-client.ts`); then a sign-in at better-auth. Prints the results and writes their section of docs/conformance.md. Exit code 1 when a
 * scenario fails that is not in `NOT_OURS`.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { fetchPackages, PINNED } from '../fixtures/gateways/npm-packages.ts';
import { runBetterAuth } from './better-auth.ts';
import { PAGE, signInPage, type Column } from './page.ts';
import { runScenario, type ScenarioResult } from './run-suite.ts';

const SUITES = ['@modelcontextprotocol/conformance', 'conformance-next'] as const;
const BETTER_AUTH = ['better-auth', '@better-auth/mcp'] as const;
const CLIENT = fileURLToPath(new URL('./auth-client.ts', import.meta.url));

const packages = await fetchPackages([...SUITES, ...BETTER_AUTH]);
if (!packages) throw new Error('The suites could not be fetched from npm.');
try {
  const columns: Column[] = [];
  for (const suite of SUITES) {
    const entry = packages.entryOf(suite);
    const results = new Map<string, ScenarioResult>();
    for (const scenario of await scenariosOf(entry)) {
      const result = await runScenario(entry, scenario, CLIENT);
      console.log(`${PINNED[suite]} ${scenario}: ${result.outcome} ${result.remarks.join('; ')}`);
      results.set(scenario, result);
    }
    columns.push({ title: PINNED[suite].replace(/^.*@/, ''), results });
  }
  const title = BETTER_AUTH.map((name) => `${name} ${PINNED[name]}`).join(' with ');
  const other = { title, result: await runBetterAuth(packages.folder) };
  console.log(title, other.result);
  const { page, isAsExpected } = signInPage(readFileSync(PAGE, 'utf8'), columns, other);
  writeFileSync(PAGE, page);
  if (!isAsExpected) process.exitCode = 1;
} finally {
  packages.remove();
}

async function scenariosOf(entry: string): Promise<string[]> {
  const child = spawn(process.execPath, [entry, 'list'], { stdio: ['ignore', 'pipe', 'ignore'] });
  return [...(await text(child.stdout)).matchAll(/\bauth\/[a-z\d-]+/g)].map(([name]) => name);
}
