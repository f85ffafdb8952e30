import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { inFolder } from '../support/homes.ts';

/** `none`: the scenario neither passed nor failed, because it does not apply or only warned. */
export type Outcome = 'passed' | 'failed' | 'none';

export interface ScenarioResult {
  readonly outcome: Outcome;
  /** Why it failed, or what it warned of. */
  readonly remarks: readonly string[];
}

export type SuiteResult = ReadonlyMap<string, ScenarioResult>;

interface Check {
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
}

/** The folder of a scenario's results: its name between the role and the time. */
const FOLDER = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/** Runs all server scenarios of the suite, whose entry is given, against `url`; by scenario in the order of the suite. */
export async function runSuite(entry: string, url: string): Promise<SuiteResult> {
  // Its exit code says what the checks say, in one bit.
  const { found } = await run(entry, 'server', '--url', url, '--suite', 'all');
  // The times at the end of the folders' names are in the order of the suite.
  const timeOf = (name: string) => name.slice(-'2026-01-01T00-00-00-000Z'.length);
  const inOrder = found.toSorted(([one], [other]) => (timeOf(one) < timeOf(other) ? -1 : 1));
  return new Map(
    inOrder.flatMap(([name, result]) => {
      const [, scenario] = FOLDER.exec(name) ?? [];
      return scenario === undefined ? [] : [[scenario, result] as const];
    }),
  );
}

/** Runs one client scenario of the suite on a program, which has failed where its exit code says so. */
export async function runScenario(entry: string, scenario: string, program: string): Promise<ScenarioResult> {
  const command = `${process.execPath} ${program}`;
  const { code, found } = await run(entry, 'client', '--command', command, '--scenario', scenario);
  const result = found[0]?.[1] ?? judge([]);
  return code === 0 || result.outcome === 'failed' ? result : { ...result, outcome: 'failed' };
}

/** One run of the suite: its exit code, and what it found by the name of the folder in which it says so. */
const run = (entry: string, ...args: readonly string[]) =>
  inFolder(async (folder) => {
    const child = spawn(process.execPath, [entry, ...args, '--output-dir', folder], { stdio: 'ignore' });
    const [code] = (await once(child, 'exit')) as [number | null];
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const found = files
      .filter((file) => basename(file) === 'checks.json')
      .map((file) => {
        const checks = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Check[];
        return [dirname(file), judge(checks)] as const;
      });
    return { code, found };
  });

function judge(checks: readonly Check[]): ScenarioResult {
  const has = (status: Check['status']) => checks.some((check) => check.status === status);
  const outcome = has('FAILURE') ? 'failed' : has('SUCCESS') ? 'passed' : 'none';
  const remarks = checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .flatMap(({ errorMessage }) => errorMessage ?? []);
  return { outcome, remarks: [...new Set(remarks)] };
}
