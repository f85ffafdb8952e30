import { useEffect, useState } from 'react';
import type { Settings } from '../../shared/settings.ts';
import { KEPT_DAYS } from '../../shared/retention.ts';
import { doorkeeperWords, loginHint, notificationProblemWords } from '../format/system-words.ts';
import { Page } from '../ui/page.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { useClients, usePanel, useServices, useNow } from '../services.ts';
import { AlertsSection } from './alerts-section.tsx';
import { DefaultsForm } from './defaults-form.tsx';
import { EndpointFields } from './endpoint-fields.tsx';
import { HistoryField } from './history-field.tsx';
import { PanelFiguresField } from './panel-figures-field.tsx';
import { SecretsSection } from '../secrets/secrets-section.tsx';
import { SettingOutcome } from './setting-outcome.tsx';
import { SettingSwitch } from './setting-switch.tsx';
import { SettingsSections, type SettingsSection } from './settings-sections.tsx';
import { useSettings } from './use-settings.ts';
import { UpdatesField } from './updates-field.tsx';
import { useTheme } from './use-theme.ts';
import styles from './settings-view.module.css';
import type { SystemState } from '../../shared/system-state.ts';
import { isPausedAt, NOTIFICATION_PAUSE_MS } from '../../shared/notification-pause.ts';
import { formatHourMinute } from '../format/moments.ts';

const themes = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** View of the panel's own settings. Every change is saved at once. */
export function SettingsView() {
  const { settings: store } = useServices();
  const settings = useSettings();
  const version = usePanel((state) => `${state.appVersion} on Electron ${state.electronVersion}`);
  // Settings are read again, because the file can also be edited outside the panel.
  useEffect(() => void store.load(), [store]);
  return (
    <Page title="Settings" note={`MCP Control Panel ${version}`}>
      {settings === undefined ? (
        <p className={styles.none}>The settings have not been read yet.</p>
      ) : (
        <SettingsSections sections={sectionsOf(settings)} />
      )}
    </Page>
  );
}

const sectionsOf = (settings: Settings): readonly SettingsSection[] => [
  { title: 'Appearance', content: <ThemeField /> },
  { title: 'Window', content: <WindowFields settings={settings} /> },
  { title: 'Notify when a server', content: <NotificationFields /> },
  {
    title: 'Alerts',
    hint: 'What you are told of which servers, also away from this screen.',
    content: <AlertsSection />,
  },
  {
    title: 'Secrets',
    hint: 'Keys and tokens that entries refer to as ${secret:NAME}, so that they stand in no file.',
    content: <SecretsSection />,
  },
  { title: 'Gateway', content: <EndpointFields settings={settings} /> },
  {
    title: 'Other programs',
    content: (
      <SettingSwitch
        path="leftBehind"
        label="Look for servers that clients left behind"
        hint="Clients shows them. None is ended without your answer."
      />
    ),
  },
  {
    title: 'Defaults for every server',
    hint: "A server's own setting comes first.",
    content: <DefaultsForm settings={settings} />,
  },
  {
    title: 'History',
    hint: `Figures in full for an hour, by the minute for 7 days, by the quarter hour for ${KEPT_DAYS}. Events for ${KEPT_DAYS} days.`,
    content: <HistoryField />,
  },
  { title: 'Updates', content: <UpdatesField /> },
  { title: 'This app', hint: 'Without the servers that it runs.', content: <PanelFiguresField /> },
  {
    title: 'Diagnostics',
    hint: 'Everything that helps to understand a problem, without secrets.',
    content: <DiagnosticsField />,
  },
];

function DiagnosticsField() {
  const { manage } = useServices();
  return (
    <div className={styles.line}>
      <TextButton onClick={() => manage.open({ kind: 'diagnostics' })}>Copy or save diagnostics…</TextButton>
    </div>
  );
}

function ThemeField() {
  const [scheme, setScheme] = useTheme();
  return (
    <div className={styles.line}>
      <Segments name="Theme" value={scheme} choices={themes} onChange={setScheme} />
      <SettingOutcome path="theme" />
    </div>
  );
}

const CLIENT_HINT =
  'A small process starts at login. It starts the panel, without a window, when a client needs it, but not after you have quit it.';

function WindowFields({ settings }: { readonly settings: Settings }) {
  const { startAtLogin, gateway } = settings;
  const state = useSystemState(startAtLogin || gateway.startWithClients)?.startAtLogin;
  const hint = loginHint(state, navigator.platform);
  return (
    <>
      <SettingSwitch path="startAtLogin" label="Start at login" hint={hint} />
      <SettingSwitch
        path="gateway.startWithClients"
        label="Start with the first client"
        hint={state === 'unknown' ? hint : CLIENT_HINT}
      />
      <Doorkeeper />
      <SettingSwitch
        path="closeToTray"
        label="Closing the window keeps the panel running"
        hint="Servers go on; the window comes back from the tray. Otherwise closing quits and stops them."
      />
    </>
  );
}

function Doorkeeper() {
  const { clients } = useServices();
  useEffect(() => clients.follow(), [clients]);
  const words = useClients(({ gateway }) => doorkeeperWords(gateway?.doorkeeper));
  return words === undefined ? null : <p className={styles.quiet}>{words}</p>;
}

function NotificationFields() {
  const problem = useSystemState(undefined)?.notificationProblem;
  return (
    <>
      {problem !== undefined && <p role="status">{notificationProblemWords(problem, navigator.platform)}</p>}
      <SettingSwitch path="notifications.stall" label="stops responding" />
      <SettingSwitch path="notifications.gaveUp" label="failed and is not restarted any more" />
      <SettingSwitch path="notifications.limit" label="was over a limit" />
      <SettingSwitch
        path="notifications.restarts"
        label="crashed often in one day and came back each time"
        hint="Once a day for each server."
      />
      <NotificationsPause />
    </>
  );
}

/**
 * * Permissions that the operating system grants the app; undefined until they are known. Read again when `reason` changes and
 * when the app window gets the focus, because the user may have changed them meanwhile.
 */
function useSystemState(reason: unknown): SystemState | undefined {
  const { api } = useServices();
  const [state, setState] = useState<SystemState>();
  useEffect(() => {
    const ask = () => {
      api.getSystemState().then(setState, () => setState(undefined));
    };
    ask();
    window.addEventListener('focus', ask);
    return () => window.removeEventListener('focus', ask);
  }, [api, reason]);
  return state;
}

const PATH = 'notifications.pausedUntil';

/** Button that pauses notifications for an hour, or ends the pause. */
function NotificationsPause() {
  const { clock, settings: store } = useServices();
  const pausedUntil = useSettings()?.notifications.pausedUntil ?? 0;
  const isPaused = useNow((now) => isPausedAt({ pausedUntil }, now));
  const pause = () => void store.set(PATH, clock.getState().now + NOTIFICATION_PAUSE_MS);
  return (
    <div className={styles.pause}>
      {isPaused ? (
        <>
          <span>Paused until {formatHourMinute(pausedUntil)}.</span>
          <TextButton onClick={() => void store.set(PATH, 0)}>Resume notifications</TextButton>
        </>
      ) : (
        <TextButton onClick={pause}>Pause notifications for an hour</TextButton>
      )}
      <SettingOutcome path={PATH} />
    </div>
  );
}
