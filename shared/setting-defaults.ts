/** Defaults of the panel's own settings with a field in the window, by path. No schema library, as the page must not load one. */
export const settingDefaults = {
  theme: 'system',
  startAtLogin: false,
  closeToTray: true,
  leftBehind: true,
  'notifications.stall': true,
  'notifications.gaveUp': true,
  'notifications.limit': true,
  'notifications.restarts': true,
  'gateway.enabled': true,
  /** Port that IANA has not assigned, outside the range of ephemeral ports. */
  'gateway.port': 7411,
  'gateway.startOnDemand': true,
  'gateway.metrics': false,
  'gateway.searchAboveTokens': 10_000,
  'gateway.startWithClients': false,
} as const;
export type SettingPath = keyof typeof settingDefaults;
