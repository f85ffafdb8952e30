import type { GatewayStatus } from '../../shared/gateway.ts';
import type { LoginState } from '../../shared/system-state.ts';

const LOGIN_HINT = 'Servers are up before you need them.';

/** Name of the system's own list of programs that start at login. */
function listName(platform: string): string {
  if (platform.startsWith('Mac')) return 'System Settings › General › Login Items';
  return platform.startsWith('Win')
    ? 'Task Manager › Startup apps'
    : "the desktop's list of startup programs";
}

/**
 * Hint of the setting "start at login": the state in the system, if it differs from the setting.
 * @param platform value of `navigator.platform`
 */
export function loginHint(state: LoginState | undefined, platform: string): string {
  if (state === 'switched-off')
    return `It was switched off in ${listName(platform)}. Ticking this switches it on there as well.`;
  if (state === 'needs-approval') return `Allow it in ${listName(platform)}; until then it does not start.`;
  if (state === 'unknown') return 'Takes effect in the installed app only.';
  return LOGIN_HINT;
}

/** Text on whether the port is kept while the panel is away; undefined while nothing is known of it. */
export function doorkeeperWords(doorkeeper: GatewayStatus['doorkeeper']): string | undefined {
  if (doorkeeper?.isReady === true) return 'While the panel is away, a small process keeps its port.';
  return doorkeeper && (doorkeeper.reason ?? 'While the panel is away, nothing keeps its port.');
}

/** Text on the problem that prevents notifications, and its remedy. */
export function notificationProblemWords(problem: string | null, platform: string): string {
  if (problem === null) return 'This desktop has no notification service.';
  const remedy = platform.startsWith('Mac')
    ? 'Allow them in System Settings › Notifications; macOS shows none of an app that is not signed.'
    : "Allow them in the system's settings.";
  return `Notifications do not appear: ${problem.replace(/\.$/, '')}. ${remedy}`;
}
