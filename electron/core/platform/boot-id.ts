import { readFile } from 'node:fs/promises';
import { runCommand, type RunCommand } from './run-command.ts';
import { systemProgram } from './windows/system-program.ts';

/** Where the boot id comes from. Both reject when there is no answer. */
export interface BootIdSource {
  readFile(path: string): Promise<string>;
  readonly run: RunCommand;
}

const WINDOWS_KEY =
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management\\PrefetchParameters';

/**
 * Tells this run of the operating system from every other: after a boot, pids and their start times name other processes.
 * Where only the id is missing (macOS and Windows), start times are dates, unique by themselves, so that a constant does.
 * Undefined on a Linux that does not tell.
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

/** Undefined for a failure, which is no worse than an empty answer. */
async function quietly(answer: Promise<string>): Promise<string | undefined> {
  const text = await answer.catch(() => '');
  return text.trim() === '' ? undefined : text.trim();
}

const systemSource: BootIdSource = { readFile: (path) => readFile(path, 'utf8'), run: runCommand };
