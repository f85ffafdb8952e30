import { execFile } from 'node:child_process';

const ANSWER_LIMIT_MS = 2000;

/** Runs a program; resolves with its output, or undefined when it failed, is missing or took too long. */
export type TrayAsk = (command: string, args: readonly string[]) => Promise<string | undefined>;

const question = [
  'call',
  '--session',
  '--dest=org.freedesktop.DBus',
  '--object-path=/org/freedesktop/DBus',
  '--method=org.freedesktop.DBus.NameHasOwner',
  'org.kde.StatusNotifierWatcher',
] as const;

/** Whether tray icons are shown: always on macOS and Windows, on Linux if the desktop reports a host. */
export async function hasTrayHost(platform: NodeJS.Platform, ask: TrayAsk = askProgram): Promise<boolean> {
  if (platform !== 'linux') return true;
  return (await ask('gdbus', question))?.includes('true') ?? false;
}

const askProgram: TrayAsk = (command, args) =>
  new Promise((resolve) => {
    const options = { timeout: ANSWER_LIMIT_MS, killSignal: 'SIGKILL' as const };
    execFile(command, [...args], options, (error, stdout) => resolve(error === null ? stdout : undefined));
  });
