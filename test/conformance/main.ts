/**
 * Runs the official conformance suite against the fixture server: directly, through our gateway and through those of others.
 * Prints a table and writes docs/conformance.md. Exit code 1 when something that passes directly does not pass through ours.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fetchPackages, PINNED } from '../fixtures/gateways/npm-packages.ts';
import { conformancePage, count, outcomeOf, scenariosOf, type Column } from './page.ts';
import { runSuite, type SuiteResult } from './run-suite.ts';
import { withDirect, withOther, withOurs } from './targets.ts';

const PAGE = fileURLToPath(new URL('../../docs/conformance.md', import.meta.url));
const SUITE = '@modelcontextprotocol/conformance';
const OTHERS = ['supergateway', 'mcp-proxy'] as const;

const packages = await fetchPackages([SUITE, ...OTHERS]);
if (!packages) throw new Error(`The suite ${SUITE} ${PINNED[SUITE]} could not be fetched from npm.`);
try {
  const suite = packages.entryOf(SUITE);
  const run = (url: string): Promise<SuiteResult> => runSuite(suite, url);
  const direct = { title: 'direct', results: await withDirect(run) };
  const ours = { title: 'our gateway', results: await withOurs(run) };
  const others: Column[] = [];
  for (const name of OTHERS)
    others.push({ title: `${name} ${PINNED[name]}`, results: await withOther(name, packages, run) });
  report(direct, ours, others);
} finally {
  packages.remove();
}

function report(direct: Column, ours: Column, others: readonly Column[]): void {
  const columns = [direct, ours, ...others];
  const scenarios = scenariosOf(columns);
  console.table(
    Object.fromEntries(
      scenarios.map((scenario) => [
        scenario,
        Object.fromEntries(columns.map((column) => [column.title, outcomeOf(column, scenario) ?? '?'])),
      ]),
    ),
  );
  for (const column of columns)
    console.log(`${column.title}: ${count(column, 'passed')} passed, ${count(column, 'failed')} failed`);
  writeFileSync(PAGE, conformancePage(columns));
  const lost = scenarios.filter(
    (scenario) => outcomeOf(direct, scenario) === 'passed' && outcomeOf(ours, scenario) !== 'passed',
  );
  for (const scenario of lost)
    console.error(`lost by our gateway: ${scenario}: ${ours.results.get(scenario)?.remarks.join('; ')}`);
  if (lost.length > 0 || count(direct, 'passed') === 0) process.exitCode = 1;
}
