import { z } from 'zod';
import { alertSettingsSchema } from './alerts.ts';
import { panelSettingsSchema, type PanelSettings } from './panel-settings.ts';
import { settingDefaults } from './setting-defaults.ts';

/** Version of the settings.json format that this version writes. */
export const SETTINGS_VERSION = 1;

const groups = panelSettingsSchema.unwrap().shape;

/** Groups that can be set for all servers together. */
type Group = 'health' | 'restart' | 'limits';

/** Returns the schema of a group's fields with their bounds, each optional and without its default. */
function partOf<G extends Group>(group: G): z.ZodType<Partial<PanelSettings[G]>> {
  const fields = Object.entries<z.ZodDefault | z.ZodOptional>(groups[group].unwrap().shape);
  const optional = fields.map(([name, field]) => [name, field.unwrap()]);
  const part: z.ZodType = z.looseObject(Object.fromEntries(optional) as Record<string, z.ZodType>).partial();
  return part as z.ZodType<Partial<PanelSettings[G]>>;
}

/** Defaults for servers that do not set a field. Only differences from the built-in defaults are stored. */
const panelDefaults = z
  .looseObject({
    health: partOf('health').optional(),
    restart: partOf('restart').optional(),
    limits: partOf('limits').optional(),
  })
  .prefault({});

const notifications = z
  .looseObject({
    /** Notify when a server does not respond. */
    stall: z.boolean().default(settingDefaults['notifications.stall']),
    /** Notify when a server failed and is not restarted automatically. */
    gaveUp: z.boolean().default(settingDefaults['notifications.gaveUp']),
    /** Notify when a server was over a limit that has an action. */
    limit: z.boolean().default(settingDefaults['notifications.limit']),
    /** Notify when a server crashed many times in a day and recovered each time. */
    restarts: z.boolean().default(settingDefaults['notifications.restarts']),
    /** Time, in epoch milliseconds, until which notifications are paused; 0 for never. */
    pausedUntil: z.number().min(0).default(0),
  })
  .prefault({});

/** Local endpoint through which MCP clients use the servers. */
const gateway = z
  .looseObject({
    enabled: z.boolean().default(settingDefaults['gateway.enabled']),
    /** Port of the endpoint; 0 means any free port, which differs at each start. */
    port: z.number().int().min(0).max(65_535).default(settingDefaults['gateway.port']),
    /**
     * Whether a client's call starts a server that was never started. A server that the user stopped stays stopped in any
     * case.
     */
    startOnDemand: z.boolean().default(settingDefaults['gateway.startOnDemand']),
    /** Whether `/metrics` and `/healthz` answer, to tokens that may read them. */
    metrics: z.boolean().default(settingDefaults['gateway.metrics']),
    /**
     * Tokens of all tool definitions beyond which an endpoint for several servers lists two tools that find and call the
     * others; 0 for never. Clients that load definitions on demand get all in any case.
     */
    searchAboveTokens: z
      .number()
      .int()
      .min(0)
      .max(1_000_000)
      .default(settingDefaults['gateway.searchAboveTokens']),
    /** Whether the first request of a client may start the panel, hidden, while it does not run. */
    startWithClients: z.boolean().default(settingDefaults['gateway.startWithClients']),
  })
  .prefault({});

/** Form of settings.json: the user's settings of the panel itself. Unknown keys are kept. */
export const settingsSchema = z.looseObject({
  version: z.literal(SETTINGS_VERSION).default(SETTINGS_VERSION),
  theme: z.enum(['system', 'light', 'dark']).default(settingDefaults.theme),
  startAtLogin: z.boolean().default(settingDefaults.startAtLogin),
  closeToTray: z.boolean().default(settingDefaults.closeToTray),
  notifications,
  gateway,
  /** Whether to scan for processes that clients left behind. */
  leftBehind: z.boolean().default(settingDefaults.leftBehind),
  audit: z.looseObject({ arguments: z.boolean().default(false) }).prefault({}),
  alerts: alertSettingsSchema,
  defaults: panelDefaults,
});

export type Settings = z.output<typeof settingsSchema>;
/** Change of settings: only the fields that differ. */
export type SettingsPatch = z.input<typeof settingsSchema>;

/** Settings of a user who has set nothing. */
export const defaultSettings: Settings = settingsSchema.parse({});

/**
 * Combines the `panel` settings of an entry: a field comes from the entry, else from the user's defaults, else from the
 * built-in ones. @param panel settings as in the file
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
