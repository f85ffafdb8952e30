import { runCommand } from '../../core/platform/run-command.ts';

const ANSWER_LIMIT_MS = 2000;

const question = [
  'call',
  '--session',
  '--dest=org.freedesktop.DBus',
  '--object-path=/org/freedesktop/DBus',
  '--method=org.freedesktop.DBus.NameHasOwner',
  'org.kde.StatusNotifierWatcher',
] as const;

/** True if tray icons are shown: always on macOS and Windows; on Linux if the desktop reports a tray host. */
export async function hasTrayHost(platform: NodeJS.Platform, run = runCommand): Promise<boolean> {
  if (platform !== 'linux') return true;
  // `gdbus` may be missing, fail, or take too long. In these cases, the desktop counts as having no tray host.
  const answer = await run('gdbus', question, { timeoutMs: ANSWER_LIMIT_MS }).catch(() => '');
  return answer.includes('true');
}
