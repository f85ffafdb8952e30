import { KEPT_DAYS } from '../../shared/retention.ts';
import { settingDefaults, type SettingPath } from '../../shared/setting-defaults.ts';
import type { Settings } from '../../shared/settings.ts';
import { entryValueAt } from '../entry/raw-entry.ts';
import { settingGroups } from '../entry/setting-fields.ts';
import type { SettingsPage } from '../store/route-store.ts';

interface PageTexts {
  readonly title: string;
  readonly hint?: string;
}

/** Texts of the settings pages, in the order of the navigation. */
export const pageTexts: Readonly<Record<SettingsPage, PageTexts>> = {
  general: { title: 'General' },
  appearance: { title: 'Appearance' },
  notifications: {
    title: 'Notifications',
    hint: 'Notifications on this desktop. An alert rule that is sent to the desktop replaces them.',
  },
  alerts: {
    title: 'Alerts',
    hint: 'Rules for what you are notified about, on this desktop and elsewhere.',
  },
  secrets: {
    title: 'Secrets',
    hint: 'Keys and tokens that entries refer to as ${secret:NAME}, so that no file contains them.',
  },
  gateway: { title: 'Gateway', hint: 'The address through which clients use the servers.' },
  'server-defaults': { title: 'Server defaults', hint: "A server's own setting comes first." },
  containers: { title: 'Containers', hint: 'Engines of this machine, and their servers.' },
  history: {
    title: 'History',
    hint: `Figures in full for an hour, by the minute for 7 days, by the quarter hour for ${KEPT_DAYS}. Events for ${KEPT_DAYS} days.`,
  },
  updates: { title: 'Updates' },
  diagnostics: {
    title: 'Diagnostics',
    hint: 'Everything that helps to understand a problem, without secrets.',
  },
  about: { title: 'About' },
};

interface SwitchTexts {
  readonly page: SettingsPage;
  readonly label: string;
  readonly hint?: string;
}

export type NumberSetting = 'gateway.port' | 'gateway.searchAboveTokens';
export type SwitchPath = Exclude<SettingPath, 'theme' | NumberSetting>;

/** Texts of the switches by path, in the order in which they appear on their page. */
export const switches: Readonly<Record<SwitchPath, SwitchTexts>> = {
  startAtLogin: { page: 'general', label: 'Start at login' },
  'gateway.startWithClients': {
    page: 'general',
    label: 'Start with the first client',
    hint: 'A small process starts at login. It starts the panel, without a window, when a client needs it, but not after you have quit it.',
  },
  closeToTray: {
    page: 'general',
    label: 'Closing the window keeps the panel running',
    hint: 'Servers keep running, and the tray opens the window again. Otherwise closing the window quits the panel and stops the servers.',
  },
  leftBehind: {
    page: 'general',
    label: 'Look for servers that clients left behind',
    hint: 'They are listed in Clients. None is ended without asking you.',
  },
  'notifications.stall': { page: 'notifications', label: 'A server stops responding' },
  'notifications.gaveUp': { page: 'notifications', label: 'A server failed and is no longer restarted' },
  'notifications.limit': { page: 'notifications', label: 'A server was over a limit' },
  'notifications.restarts': {
    page: 'notifications',
    label: 'A server crashed often in one day and came back each time',
    hint: 'Once a day for each server.',
  },
  'gateway.enabled': {
    page: 'gateway',
    label: 'Let clients use the servers',
    hint: 'At an address that only this machine can reach, and only with a token made in Clients.',
  },
  'gateway.startOnDemand': {
    page: 'gateway',
    label: 'Start a server when it is called',
    hint: 'Only if it was never started. A server that you stopped stays stopped.',
  },
  'gateway.metrics': {
    page: 'gateway',
    label: 'Serve metrics',
    hint: 'States, memory, CPU and calls of every server at /metrics, with a token made in Clients that may read them; numbers of servers by state at /healthz, for every program of this machine.',
  },
};

export const SEARCH_HINT =
  'If the tools of an endpoint for several servers take more than this, it lists two instead: one finds the others, one calls them. 0 turns this off.';
export const PORT_HINT = 'Clients that are set up already need the new address.';

/** Groups of default settings. The defaults apply to servers that do not have their own settings. */
export const defaultGroups = (['limits', 'restart', 'health'] as const).flatMap((id) =>
  settingGroups.filter((group) => group.id === id),
);

/** Setting that a search of the settings can find. */
export interface IndexedSetting {
  readonly page: SettingsPage;
  readonly label: string;
  readonly hint?: string;
  /** Value of the `data-setting` attribute on the setting's field. If it is absent, a search result leads only to the page. */
  readonly path?: string;
}

const indexed: readonly IndexedSetting[] = [
  ...Object.entries(switches).map(([path, texts]) => ({ ...texts, path })),
  { page: 'appearance', label: 'Theme', hint: 'System, light or dark', path: 'theme' },
  { page: 'notifications', label: 'Pause notifications for an hour', path: 'notifications.pausedUntil' },
  {
    page: 'alerts',
    label: 'Rules',
    path: 'alerts.rules',
    hint: 'When, of which servers, only if it lasts, to the desktop or a webhook',
  },
  {
    page: 'alerts',
    label: 'Webhook',
    path: 'alerts.webhook',
    hint: 'URL, format: JSON, ntfy, Slack, Discord',
  },
  {
    page: 'alerts',
    label: 'Quiet hours',
    path: 'alerts.quietHours',
    hint: 'Alerts wait until they are over.',
  },
  { page: 'secrets', label: 'Key of the secrets', path: 'secrets.key', hint: 'Keyring, passphrase, file' },
  {
    page: 'secrets',
    label: 'Secrets',
    path: 'secrets',
    hint: 'Add, replace, rename, delete; values in plain text',
  },
  { page: 'gateway', label: 'Port', hint: PORT_HINT, path: 'gateway.port' },
  { page: 'gateway', label: 'Tool search', hint: SEARCH_HINT, path: 'gateway.searchAboveTokens' },
  ...defaultGroups.flatMap(({ title, fields }) =>
    fields.map(({ path, label, hint }) => ({
      ...{ page: 'server-defaults' as const, label, hint: hint === undefined ? title : `${title}. ${hint}` },
      path: `defaults.${path}`,
    })),
  ),
  { page: 'containers', label: 'Container engines', hint: 'docker, podman, disk of images' },
  { page: 'history', label: 'Size and place of the history' },
  { page: 'updates', label: 'Check for updates', path: 'updates', hint: 'Version' },
  { page: 'diagnostics', label: 'Copy or save diagnostics', path: 'diagnostics' },
  { page: 'about', label: 'Version', hint: 'Electron' },
  { page: 'about', label: 'Memory and CPU of this app', hint: 'Processes' },
];

/** Returns the settings that match a search: every word of it occurs in the label, the hint, or the texts of the page. */
export function findSettings(words: string): readonly IndexedSetting[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return indexed.filter(({ page, label, hint = '' }) => {
    const { title, hint: more = '' } = pageTexts[page];
    const text = `${label} ${hint} ${title} ${more}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

const serverDefaults: ReadonlyMap<string, unknown> = new Map(
  defaultGroups.flatMap(({ fields }) => fields.map((field) => [`defaults.${field.path}`, field.default])),
);

/** True if a setting differs from its default. */
export function isChanged(settings: Settings, path: string): boolean {
  const byDefault =
    serverDefaults.get(path) ?? new Map<string, unknown>(Object.entries(settingDefaults)).get(path);
  const value = entryValueAt(settings, path);
  return byDefault !== undefined && value !== undefined && value !== byDefault;
}
