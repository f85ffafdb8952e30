import { z } from 'zod';
import { panelSettingsSchema, type PanelSettings } from './panel-settings.ts';

/** The form of settings.json that this version writes. */
export const SETTINGS_VERSION = 1;

const groups = panelSettingsSchema.unwrap().shape;

/** The groups that can be set for all servers at once. */
type Group = 'health' | 'restart' | 'limits';

/** The fields of a group with their bounds, each of them optional and without its default. */
function partOf<G extends Group>(group: G): z.ZodType<Partial<PanelSettings[G]>> {
  const fields = Object.entries<z.ZodDefault>(groups[group].unwrap().shape);
  const optional = fields.map(([name, field]) => [name, field.unwrap()]);
  const part: z.ZodType = z.looseObject(Object.fromEntries(optional) as Record<string, z.ZodType>).partial();
  return part as z.ZodType<Partial<PanelSettings[G]>>;
}

/** What servers get that set nothing of the kind themselves. Only what differs from our own defaults stands here. */
const panelDefaults = z
  .looseObject({
    health: partOf('health').optional(),
    restart: partOf('restart').optional(),
    limits: partOf('limits').optional(),
  })
  .prefault({});

const notifications = z
  .looseObject({
    /** A server does not respond. */
    stall: z.boolean().default(true),
    /** A server failed, and is not started again by itself. */
    gaveUp: z.boolean().default(true),
    /** A server was over a limit that is acted upon. */
    limit: z.boolean().default(true),
    /** A server crashed many times in a day and came back each time. */
    restarts: z.boolean().default(true),
    /** Epoch milliseconds before which nothing is told; 0 for never. */
    pausedUntil: z.number().min(0).default(0),
  })
  .prefault({});

/** The port of the endpoint for clients: unassigned by IANA, and outside the range that systems hand out by themselves. */
const DEFAULT_GATEWAY_PORT = 7411;

/** The local endpoint through which other clients use the servers. */
const gateway = z
  .looseObject({
    enabled: z.boolean().default(true),
    /** 0 for any that is free, another one at each start. */
    port: z.number().int().min(0).max(65_535).default(DEFAULT_GATEWAY_PORT),
    /** A call of a client starts a server that was never started; one that a person stopped stays stopped in any case. */
    startOnDemand: z.boolean().default(true),
    /** `/metrics` and `/healthz` answer, to tokens that may read them. */
    metrics: z.boolean().default(false),
  })
  .prefault({});

/** settings.json: what a person decides about the panel itself. Unknown keys are kept. */
export const settingsSchema = z.looseObject({
  version: z.literal(SETTINGS_VERSION).default(SETTINGS_VERSION),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  startAtLogin: z.boolean().default(false),
  closeToTray: z.boolean().default(true),
  notifications,
  gateway,
  defaults: panelDefaults,
});

export type Settings = z.output<typeof settingsSchema>;
/** A change: only what is to be different. */
export type SettingsPatch = z.input<typeof settingsSchema>;

/** The settings of a person who has set nothing. */
export const defaultSettings: Settings = settingsSchema.parse({});

/** The `panel` settings of an entry: its own, then those of the person, then ours. `panel` is what stands in the file. */
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
