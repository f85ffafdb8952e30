import { useEffect, useState } from 'react';
import type { Settings } from '../../shared/settings.ts';
import { isPausedAt, NOTIFICATION_PAUSE_MS } from '../../shared/notification-pause.ts';
import type { LoginState, SystemState } from '../../shared/system-state.ts';
import { formatDay, formatHourMinute } from '../format/moments.ts';
import { SecretsSection } from '../secrets/secrets-section.tsx';
import { useClients, useNow, usePanel, useServices } from '../services.ts';
import type { SettingsPage } from '../store/route-store.ts';
import { AppMark, Icon } from '../ui/icon.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { AlertsSection } from './alerts-section.tsx';
import { ContainersSection } from './containers-section.tsx';
import { DefaultsForm } from './defaults-form.tsx';
import { EndpointFields } from './endpoint-fields.tsx';
import { PanelFiguresField } from './panel-figures-field.tsx';
import { SettingOutcome } from './setting-outcome.tsx';
import { SettingSwitch } from './setting-switch.tsx';
import { UpdatesField } from './updates-field.tsx';
import { useSettings } from './use-settings.ts';
import { useTheme } from './use-theme.ts';
import type { GatewayStatus } from '../../shared/gateway.ts';
import type { PastState } from '../../shared/history.ts';
import { formatMemory } from '../format/figures.ts';

interface ContentProps {
  readonly page: SettingsPage;
  readonly settings: Settings;
}

/** Fields of one settings page. */
export function SettingsPageContent({ page, settings }: ContentProps) {
  switch (page) {
    case 'general':
      return <GeneralFields settings={settings} />;
    case 'appearance':
      return <ThemeField />;
    case 'notifications':
      return <NotificationFields />;
    case 'alerts':
      return <AlertsSection />;
    case 'secrets':
      return <SecretsSection />;
    case 'gateway':
      return <EndpointFields settings={settings} />;
    case 'server-defaults':
      return <DefaultsForm settings={settings} />;
    case 'containers':
      return <ContainersSection />;
    case 'history':
      return <HistoryField />;
    case 'updates':
      return <UpdatesField />;
    case 'diagnostics':
      return <DiagnosticsField />;
    case 'about':
      return <About />;
  }
}

const themes = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

function DiagnosticsField() {
  const { manage } = useServices();
  return (
    <div className="flex items-start gap-12" data-setting="diagnostics">
      <TextButton onClick={() => manage.open({ kind: 'diagnostics' })}>Copy or save diagnostics…</TextButton>
    </div>
  );
}

function ThemeField() {
  const [scheme, setScheme] = useTheme();
  return (
    <div className="flex items-start gap-12" data-setting="theme">
      <Segments name="Theme" value={scheme} choices={themes} onChange={setScheme} />
      <SettingOutcome path="theme" label="Theme" />
    </div>
  );
}

function GeneralFields({ settings }: Pick<ContentProps, 'settings'>) {
  const { startAtLogin, gateway } = settings;
  const state = useSystemState(startAtLogin || gateway.startWithClients)?.startAtLogin;
  const hint = loginHint(state, navigator.platform);
  return (
    <>
      <SettingSwitch path="startAtLogin" hint={hint} />
      <SettingSwitch path="gateway.startWithClients" hint={state === 'unknown' ? hint : undefined} />
      <Doorkeeper />
      <SettingSwitch path="closeToTray" />
      <SettingSwitch path="leftBehind" />
    </>
  );
}

function Doorkeeper() {
  const { clients } = useServices();
  useEffect(() => clients.follow(), [clients]);
  const words = useClients(({ gateway }) => doorkeeperWords(gateway?.doorkeeper));
  return words === undefined ? null : (
    <p className="pl-(--indent) wrap-anywhere text-12/16 text-dim">{words}</p>
  );
}

function NotificationFields() {
  const problem = useSystemState()?.notificationProblem;
  return (
    <>
      {problem !== undefined && <p role="status">{notificationProblemWords(problem, navigator.platform)}</p>}
      <SettingSwitch path="notifications.stall" />
      <SettingSwitch path="notifications.gaveUp" />
      <SettingSwitch path="notifications.limit" />
      <SettingSwitch path="notifications.restarts" />
      <NotificationsPause />
    </>
  );
}

/** Permissions that the operating system grants the app; undefined until they are known. */
const useSystemState = (reason?: unknown): SystemState | undefined =>
  useAnswer(useServices().api.getSystemState, reason);

/**
 * Returns the answer of the main process; undefined until the answer arrives. The request is repeated when `reason` changes and
 * when the app window gets the focus, because the user may have changed something in the meantime.
 */
function useAnswer<T>(ask: () => Promise<T>, reason?: unknown): T | undefined {
  const [answer, setAnswer] = useState<T>();
  useEffect(() => {
    const read = () => void ask().then(setAnswer, () => setAnswer(undefined));
    read();
    window.addEventListener('focus', read);
    return () => window.removeEventListener('focus', read);
  }, [ask, reason]);
  return answer;
}

const PATH = 'notifications.pausedUntil';

/** Button that pauses notifications for an hour, or ends the pause. */
function NotificationsPause() {
  const { clock, settings: store } = useServices();
  const pausedUntil = useSettings()?.notifications.pausedUntil ?? 0;
  const isPaused = useNow((now) => isPausedAt({ pausedUntil }, now));
  const pause = () => void store.set(PATH, clock.getState().now + NOTIFICATION_PAUSE_MS);
  return (
    <div className="flex flex-wrap items-center gap-x-12 gap-y-8 pt-4" data-setting={PATH}>
      {isPaused ? (
        <>
          <span>Paused until {formatHourMinute(pausedUntil)}.</span>
          <TextButton onClick={() => void store.set(PATH, 0)}>Resume notifications</TextButton>
        </>
      ) : (
        <TextButton onClick={pause}>Pause notifications for an hour</TextButton>
      )}
      <SettingOutcome path={PATH} label="the pause" />
    </div>
  );
}

function About() {
  const version = usePanel((state) => state.appVersion);
  const electron = usePanel((state) => state.electronVersion);
  return (
    <>
      <p className="flex items-center gap-8 select-text">
        <AppMark /> MCP Control Panel {version} on Electron {electron}
      </p>
      <h3 className="text-12 font-semibold">What it uses, without the servers that it runs</h3>
      <PanelFiguresField />
    </>
  );
}

const LOGIN_HINT = 'Servers are up before you need them.';

/** Returns the name of the operating system's list of programs that start at login. */
function listName(platform: string): string {
  if (platform.startsWith('Mac')) return 'System Settings › General › Login Items';
  return platform.startsWith('Win')
    ? 'Task Manager › Startup apps'
    : "the desktop's list of startup programs";
}

/**
 * Returns the hint of the setting "start at login": the state in the operating system, if it differs from the setting.
 * @param platform value of `navigator.platform`
 */
export function loginHint(state: LoginState | undefined, platform: string): string {
  if (state === 'switched-off')
    return `It was switched off in ${listName(platform)}. Ticking this switches it on there as well.`;
  if (state === 'needs-approval') return `Allow it in ${listName(platform)}; until then it does not start.`;
  if (state === 'unknown') return 'Takes effect in the installed app only.';
  return LOGIN_HINT;
}

/** Returns the text on whether a small process keeps the port reserved while the panel is not running; undefined if unknown. */
function doorkeeperWords(doorkeeper: GatewayStatus['doorkeeper']): string | undefined {
  if (doorkeeper?.isReady === true) return 'While the panel is not running, a small process keeps its port.';
  return doorkeeper && (doorkeeper.reason ?? 'While the panel is not running, nothing keeps its port.');
}

/** Returns the text about the problem that prevents notifications, and how to fix it. */
export function notificationProblemWords(problem: string | null, platform: string): string {
  if (problem === null) return 'This desktop has no notification service.';
  const remedy = platform.startsWith('Mac')
    ? 'Allow them in System Settings › Notifications; macOS shows none of an app that is not signed.'
    : "Allow them in the system's settings.";
  return `Notifications do not appear: ${problem.replace(/\.$/, '')}. ${remedy}`;
}

/** Field with the location and size of the history. */
export function HistoryField() {
  const state = useAnswer(useServices().api.getHistoryState);
  if (state === undefined) return <span className="select-text">Not known yet.</span>;
  return (
    <>
      <span className="select-text">{historyWords(state)}</span>
      {state.path !== undefined && (
        <span className="wrap-anywhere select-text text-12 font-mono text-dim">{state.path}</span>
      )}
      {state.problem !== undefined && (
        <p
          className="flex items-start gap-8 max-w-560 wrap-anywhere text-failed select-text [&>svg]:flex-none [&>svg]:mt-4"
          role="status"
        >
          <Icon name="warning" size={14} />
          {state.problem}
        </p>
      )}
    </>
  );
}

/** Returns the text about the stored history: `12.4 MiB · since 2026-09-01`. */
export function historyWords({ keptIn, sizeBytes, oldestAt }: PastState): string {
  const words = [
    keptIn === 'memory' ? 'Only in memory, until the panel quits' : undefined,
    sizeBytes === undefined ? undefined : formatMemory(sizeBytes),
    oldestAt === undefined ? undefined : `since ${formatDay(oldestAt)}`,
  ];
  return words.filter((text) => text !== undefined).join(' · ') || 'Nothing yet.';
}
