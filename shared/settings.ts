import { z } from 'zod';
import { alertSettingsSchema } from './alerts.ts';
import { panelSettingsSchema, type PanelSettings } from './panel-settings.ts';
import { settingDefaults } from './setting-defaults.ts';

/** Version of the settings.json format that this version of the panel writes. */
export const SETTINGS_VERSION = 1;

const groups = panelSettingsSchema.unwrap().shape;

/** Groups of settings that can be set for all servers together. */
type Group = 'health' | 'restart' | 'limits';

/** Returns the schema of a group's fields with their bounds. Each field is optional and has no default. */
function partOf<G extends Group>(group: G): z.ZodType<Partial<PanelSettings[G]>> {
  const fields = Object.entries<z.ZodDefault | z.ZodOptional>(groups[group].unwrap().shape);
  const optional = fields.map(([name, field]) => [name, field.unwrap()]);
  const part: z.ZodType = z.looseObject(Object.fromEntries(optional) as Record<string, z.ZodType>).partial();
  return part as z.ZodType<Partial<PanelSettings[G]>>;
}

/** The user's defaults for fields that a server's entry omits. Only differences from the built-in defaults are stored. */
const panelDefaults = z
  .looseObject({
    health: partOf('health').optional(),
    restart: partOf('restart').optional(),
    limits: partOf('limits').optional(),
  })
  .prefault({});

const notifications = z
  .looseObject({
    /** True to notify when a server does not respond. */
    stall: z.boolean().default(settingDefaults['notifications.stall']),
    /** True to notify when a server failed and is not restarted automatically. */
    gaveUp: z.boolean().default(settingDefaults['notifications.gaveUp']),
    /** True to notify when a server exceeded a limit that has an action. */
    limit: z.boolean().default(settingDefaults['notifications.limit']),
    /** True to notify when a server crashed many times in a day and recovered each time. */
    restarts: z.boolean().default(settingDefaults['notifications.restarts']),
    /** Time in epoch milliseconds until which notifications are paused; 0 if they are not paused. */
    pausedUntil: z.number().min(0).default(0),
  })
  .prefault({});

/** Local endpoint through which MCP clients use the servers. */
const gateway = z
  .looseObject({
    enabled: z.boolean().default(settingDefaults['gateway.enabled']),
    /** Port of the endpoint; 0 means any free port, which may differ at each start. */
    port: z.number().int().min(0).max(65_535).default(settingDefaults['gateway.port']),
    /** True if a client's call starts a server that was not started yet. One that the user stopped always stays stopped. */
    startOnDemand: z.boolean().default(settingDefaults['gateway.startOnDemand']),
    /** True if `/metrics` and `/healthz` respond to requests with a token that may read them. */
    metrics: z.boolean().default(settingDefaults['gateway.metrics']),
    /**
     * Maximum total tokens of tool definitions that an endpoint for several servers lists; 0 means no maximum. Above it, the
     * endpoint lists only two tools, which find and call the others. Clients that load definitions on demand always get all
     * definitions.
     */
    searchAboveTokens: z
      .number()
      .int()
      .min(0)
      .max(1_000_000)
      .default(settingDefaults['gateway.searchAboveTokens']),
    /** True if the first request of a client may start the panel, without showing its window, when the panel is not running. */
    startWithClients: z.boolean().default(settingDefaults['gateway.startWithClients']),
  })
  .prefault({});

/** Schema of settings.json, which contains the user's settings of the panel itself. Unknown keys are kept. */
export const settingsSchema = z.looseObject({
  version: z.literal(SETTINGS_VERSION).default(SETTINGS_VERSION),
  theme: z.enum(['system', 'light', 'dark']).default(settingDefaults.theme),
  startAtLogin: z.boolean().default(settingDefaults.startAtLogin),
  closeToTray: z.boolean().default(settingDefaults.closeToTray),
  notifications,
  gateway,
  /** True to scan for processes that clients left running when they ended. */
  leftBehind: z.boolean().default(settingDefaults.leftBehind),
  audit: z.looseObject({ arguments: z.boolean().default(false) }).prefault({}),
  alerts: alertSettingsSchema,
  defaults: panelDefaults,
});

export type Settings = z.output<typeof settingsSchema>;
/** Change of settings. Contains only the fields that differ. */
export type SettingsPatch = z.input<typeof settingsSchema>;

/** Settings that apply if the user has not set any. */
export const defaultSettings: Settings = settingsSchema.parse({});

/**
 * Combines the `panel` settings of an entry with the defaults. Each field comes from the entry, or else from the user's
 * defaults, or else from the built-in defaults. @param panel settings as in the file
 */
export function withPanelDefaults(
  panel: z.input<typeof panelSettingsSchema>,
  defaults: Settings['defaults'],
): PanelSettings {
  const own = panel ?? {};
  return panelSettingsSchema.parse({
    ...own,
    health: { ...defaults.health, ...own.health },
    restart: { ...defaults.restart, ...own.restart },
    limits: { ...defaults.limits, ...own.limits },
  });
}
