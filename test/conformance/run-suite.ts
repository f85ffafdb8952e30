import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `none`: the scenario neither passed nor failed, because it does not apply or only warned. */
export type Outcome = 'passed' | 'failed' | 'none';

export interface ScenarioResult {
  readonly outcome: Outcome;
  /** Why it failed, or what it warned of. */
  readonly remarks: readonly string[];
}

export type SuiteResult = ReadonlyMap<string, ScenarioResult>;

export interface Check {
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
}

/** The folder of a scenario's results: its name between the role and the time. */
const FOLDER = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

/** Runs all server scenarios of the suite, whose entry is given, against `url`; by scenario in the order of the suite. */
export async function runSuite(entry: string, url: string): Promise<SuiteResult> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const args = [entry, 'server', '--url', url, '--suite', 'all', '--output-dir', folder];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'ignore'] });
    // Its exit code says what the checks say, in one bit.
    await once(child, 'exit');
    return readResults(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The times at the end of the folders' names are in the order of the suite. */
function readResults(folder: string): SuiteResult {
  const timeOf = (name: string) => name.slice(-'2026-01-01T00-00-00-000Z'.length);
  const names = readdirSync(folder).sort((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1));
  return new Map(
    names.flatMap((name) => {
      const [, scenario] = FOLDER.exec(name) ?? [];
      const file = join(folder, name, 'checks.json');
      if (scenario === undefined || !existsSync(file)) return [];
      return [[scenario, judge(JSON.parse(readFileSync(file, 'utf8')) as Check[])] as const];
    }),
  );
}

export function judge(checks: readonly Check[]): ScenarioResult {
  const has = (status: Check['status']) => checks.some((check) => check.status === status);
  const outcome = has('FAILURE') ? 'failed' : has('SUCCESS') ? 'passed' : 'none';
  const remarks = checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .flatMap(({ errorMessage }) => errorMessage ?? []);
  return { outcome, remarks: [...new Set(remarks)] };
}
