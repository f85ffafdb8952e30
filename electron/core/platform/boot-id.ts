import { readFile } from 'node:fs/promises';
import { runCommand, type RunCommand } from './run-command.ts';
import { systemProgram } from './windows/system-program.ts';

/** Sources of the boot id. Both reject when the system has no answer. */
export interface BootIdSource {
  readFile(path: string): Promise<string>;
  readonly run: RunCommand;
}

const WINDOWS_KEY =
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management\\PrefetchParameters';

/**
 * Returns an id of this boot of the operating system. It is needed because after a reboot, pids and start times identify other
 * processes. If only the id is missing (macOS and Windows), a constant is enough, because start times are dates there and thus
 * unique. Undefined on a Linux without a boot id.
 */
export async function readBootId(
  platform: NodeJS.Platform = process.platform,
  source: BootIdSource = systemSource,
): Promise<string | undefined> {
  if (platform === 'linux') return quietly(source.readFile('/proc/sys/kernel/random/boot_id'));
  if (platform === 'win32') {
    const answer = await quietly(
      source.run(systemProgram('reg.exe'), ['query', WINDOWS_KEY, '/v', 'BootId']),
    );
    return /\b0x[0-9a-f]+\b/i.exec(answer ?? '')?.[0] ?? 'unknown';
  }
  return (
    (await quietly(source.run('sysctl', ['-n', 'kern.bootsessionuuid']))) ??
    (await quietly(source.run('sysctl', ['-n', 'kern.boottime']))) ??
    'unknown'
  );
}

/** Resolves with the answer; with undefined if it is empty or rejects, because both are handled alike. */
async function quietly(answer: Promise<string>): Promise<string | undefined> {
  const text = await answer.catch(() => '');
  return text.trim() === '' ? undefined : text.trim();
}

const systemSource: BootIdSource = { readFile: (path) => readFile(path, 'utf8'), run: runCommand };
