/**
 * Runs the official conformance suite against the fixture server: directly, through our gateway and through those of others; and
 * by a relay over its pipes, and over those of our bridge to the gateway. Arguments are engines, in a container of which it runs
 * besides, and `kubernetes`, for a pod of a stand-in. Prints a table and writes docs/conformance.md. Exit code 1 when something that passes directly, or by the relay, does
 * not pass through ours.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fetchPackages, PINNED } from '../fixtures/gateways/npm-packages.ts';
import { conformancePage, count, outcomeOf, PAGE, scenariosOf, signInSection, type Column } from './page.ts';
import { runSuite, type SuiteResult } from './run-suite.ts';
import {
  withBridge,
  withCombined,
  withContainer,
  withDirect,
  withOther,
  withOurs,
  withPod,
  withRelay,
} from './targets.ts';

const SUITE = '@modelcontextprotocol/conformance';
const OTHERS = ['supergateway', 'mcp-proxy'] as const;

const packages = await fetchPackages([SUITE, ...OTHERS]);
if (!packages) throw new Error(`The suite ${SUITE} ${PINNED[SUITE]} could not be fetched from npm.`);
try {
  const suite = packages.entryOf(SUITE);
  const run = (url: string): Promise<SuiteResult> => runSuite(suite, url);
  const direct = { title: 'direct', results: await withDirect(run) };
  const ours = { title: 'our gateway', results: await withOurs(run) };
  const combined = { title: 'our gateway, /mcp', results: await withCombined(run) };
  const contained: Column[] = [];
  for (const engine of process.argv.slice(2)) {
    const place = engine.includes('://') ? 'on an engine elsewhere' : `in a container of ${basename(engine)}`;
    if (engine === 'kubernetes')
      contained.push({ title: 'our gateway, in a pod of a stand-in', results: await withPod(run) });
    else contained.push({ title: `our gateway, ${place}`, results: await withContainer(engine, run) });
  }
  const relay = { title: 'relay, pipes', results: await withRelay(run) };
  const bridge = { title: 'relay, our bridge, our gateway', results: await withBridge(run) };
  const others: Column[] = [];
  for (const name of OTHERS)
    others.push({ title: `${name} ${PINNED[name]}`, results: await withOther(name, packages, run) });
  const columns = [direct, ours, ...contained, combined, relay, bridge, ...others];
  show(columns);
  writeFileSync(PAGE, `${conformancePage(columns)}\n${signInSection(readFileSync(PAGE, 'utf8'))}`);
  let lost = lostBetween(relay, bridge);
  for (const way of [ours, ...contained]) lost += lostBetween(direct, way);
  if (lost > 0 || count(direct, 'passed') === 0 || count(relay, 'passed') === 0) process.exitCode = 1;
} finally {
  packages.remove();
}

function show(columns: readonly Column[]): void {
  console.table(
    Object.fromEntries(
      scenariosOf(columns).map((scenario) => [
        scenario,
        Object.fromEntries(columns.map((column) => [column.title, outcomeOf(column, scenario) ?? '?'])),
      ]),
    ),
  );
  for (const column of columns)
    console.log(`${column.title}: ${count(column, 'passed')} passed, ${count(column, 'failed')} failed`);
}

/** How many scenarios pass one way and not the other, which is ours; each is told. */
function lostBetween(plain: Column, ours: Column): number {
  const lost = scenariosOf([plain]).filter(
    (scenario) => outcomeOf(plain, scenario) === 'passed' && outcomeOf(ours, scenario) !== 'passed',
  );
  for (const scenario of lost)
    console.error(`lost by ${ours.title}: ${scenario}: ${ours.results.get(scenario)?.remarks.join('; ')}`);
  return lost.length;
}
