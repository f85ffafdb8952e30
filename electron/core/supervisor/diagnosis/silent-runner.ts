import { packageRunOfCommand } from '../../../../shared/package-run.ts';
import type { Launch } from './launch.ts';
import type { DiagnosedRemedy } from './remedy.ts';
import { ownValue } from '../../../../shared/own-value.ts';

export interface SilentFailure {
  /** Failure in words, without how it ended. */
  readonly headline: string;
  readonly remedy: DiagnosedRemedy;
}

/**
 * Describes a package runner that ended without output before its server was up. npm prints nothing when an install script
 * fails, because the details are in its log. Undefined for other commands.
 */
export function silentFailureOf(launch: Launch): SilentFailure | undefined {
  const run = packageRunOfCommand(launch.command, launch.args);
  if (run === undefined) return undefined;
  const what = run.packages.join(', ') || 'its package';
  const headline = `${run.runner} could not install ${what}, or it ended at once, without a word`;
  if (!/^(?:npx|npm )/.test(run.runner)) {
    const words = `Run its command in a terminal to see why, or install ${what} by hand.`;
    return { headline, remedy: { words, fix: { kind: 'check-package', ...packageOf(run.packages) } } };
  }
  const folder = npmLogFolder(launch.environment);
  return {
    headline,
    remedy: { words: `See the newest file in ${folder}.`, fix: { kind: 'read-log', folder } },
  };
}

const packageOf = ([first]: readonly string[]) => (first === undefined ? {} : { package: first });

/** Returns npm's log folder by its settings and defaults; `.npmrc` is not read. */
function npmLogFolder(environment: Launch['environment']): string {
  const setting = (name: string) =>
    ownValue(environment, name) ??
    ownValue(environment, name.toUpperCase()) ??
    ownValue(environment, name.replaceAll('_', '-'));
  const logs = setting('npm_config_logs_dir');
  if (logs) return logs;
  const cache = setting('npm_config_cache');
  if (cache) return `${cache.replace(/[\\/]$/, '')}/_logs`;
  const localAppData = environment['LOCALAPPDATA'] ?? environment['LocalAppData'];
  return localAppData ? String.raw`${localAppData}\npm-cache\_logs` : '~/.npm/_logs';
}
