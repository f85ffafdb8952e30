import { useEffect, type ReactNode } from 'react';
import { Segments } from '../ui/segments.tsx';
import { usePanel, useServices } from '../services.ts';
import { DefaultsForm } from './defaults-form.tsx';
import { EndpointFields } from './endpoint-fields.tsx';
import { PanelFiguresLine } from './panel-figures-line.tsx';
import { SettingOutcome } from './setting-outcome.tsx';
import { SettingSwitch } from './setting-switch.tsx';
import { useSettings } from './use-settings.ts';
import { UpdatesField } from './updates-field.tsx';
import { useTheme } from './use-theme.ts';
import styles from './settings-view.module.css';

const themes = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** Settings of the panel itself. Every change is saved at once. */
export function SettingsView() {
  const { settings: store } = useServices();
  const settings = useSettings();
  const version = usePanel((state) => `${state.appVersion} on Electron ${state.electronVersion}`);
  const [scheme, setScheme] = useTheme();
  // Settings are read again because the file can be edited outside as well.
  useEffect(() => void store.load(), [store]);
  return (
    <div className={styles.view}>
      <header className={styles.header}>
        <h1 className={styles.title}>Settings</h1>
        <span className={styles.version}>MCP Control Panel {version}</span>
      </header>
      {settings === undefined ? (
        <p className={styles.none}>The settings have not been read yet.</p>
      ) : (
        <div className={styles.sections}>
          <Section title="Appearance">
            <div className={styles.line}>
              <Segments name="Theme" value={scheme} choices={themes} onChange={setScheme} />
              <SettingOutcome path="theme" />
            </div>
          </Section>
          <Section title="Window">
            <SettingSwitch
              path="startAtLogin"
              label="Start at login"
              hint="Servers are up before you need them."
            />
            <SettingSwitch
              path="closeToTray"
              label="Closing the window keeps the panel running"
              hint="Servers go on; the window comes back from the tray. Otherwise closing quits and stops them."
            />
          </Section>
          <Section title="Notify when a server">
            <SettingSwitch path="notifications.stall" label="stops responding" />
            <SettingSwitch path="notifications.gaveUp" label="failed and is not restarted any more" />
            <SettingSwitch path="notifications.limit" label="was over a limit" />
          </Section>
          <Section title="Endpoint for clients">
            <EndpointFields settings={settings} />
          </Section>
          <Section title="Defaults for every server" hint="A server's own setting comes first.">
            <DefaultsForm settings={settings} />
          </Section>
          <Section title="Updates">
            <UpdatesField />
          </Section>
          <Section title="This app" hint="Without the servers that it runs.">
            <PanelFiguresLine />
          </Section>
        </div>
      )}
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

function Section({ title, hint, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2 className={styles.name}>
        {title}
        {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </h2>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}
