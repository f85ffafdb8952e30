import { readFile } from 'node:fs/promises';
import { runCommand, type RunCommand } from './run-command.ts';
import { systemProgram } from './windows/system-program.ts';

/** Where the boot id is read from. Both functions reject if the system does not have the value. */
export interface BootIdSource {
  readFile(path: string): Promise<string>;
  readonly run: RunCommand;
}

const WINDOWS_KEY =
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management\\PrefetchParameters';

/**
 * Returns an id of the current boot of the operating system. It is needed because the same pid and start time may identify
 * another process after a reboot. On macOS and Windows, a constant replaces a missing id, because start times are dates there
 * and therefore unique across reboots. Undefined on Linux if there is no boot id.
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

/** Resolves with the trimmed answer; with undefined if the answer is empty or its promise rejects. */
async function quietly(answer: Promise<string>): Promise<string | undefined> {
  const text = await answer.catch(() => '');
  return text.trim() === '' ? undefined : text.trim();
}

const systemSource: BootIdSource = { readFile: (path) => readFile(path, 'utf8'), run: runCommand };
