import { z } from 'zod';
import { serverNameSchema } from './server-config.ts';

const alertRuleSchema = z
  .looseObject({
    id: z.string().min(1).max(100),
    /** Condition that triggers the alert. `errors`: share of failed calls; `log`: a log line that matches a pattern. */
    what: z.enum(['failed', 'unstable', 'limit', 'trend', 'errors', 'log']),
    /** Percentage of failed calls above which `errors` alerts. */
    share: z.number().min(0).max(100).optional(),
    /** Regular expression for `log`. */
    pattern: z.string().min(1).max(500).optional(),
    servers: z.union([z.literal('all'), z.array(serverNameSchema).max(1000)]).default('all'),
    /** Number of minutes that the condition must last before the alert is sent. */
    lastsMinutes: z.number().min(0).max(1440).default(0),
    to: z.array(z.enum(['desktop', 'webhook'])).default(['desktop']),
    /** Hours after which an alert is repeated while its condition lasts; 0 for never. */
    repeatHours: z.number().min(0).max(720).default(0),
  })
  .refine(({ what, share }) => what !== 'errors' || share !== undefined, {
    path: ['share'],
    error: 'a rule about errors needs a share',
  })
  .refine(({ what, pattern }) => what !== 'log' || pattern !== undefined, {
    path: ['pattern'],
    error: 'a rule about log lines needs a pattern',
  });
export type AlertRule = z.output<typeof alertRuleSchema>;

export const alertRulesSchema = z
  .array(alertRuleSchema)
  .max(100)
  .refine((rules) => new Set(rules.map(({ id }) => id)).size === rules.length, {
    error: 'two rules have the same id',
  });

const hourMinute = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'expected HH:MM' });
/** Local times of day between which alerts are delayed. If `from` is later than `to`, the span includes midnight. */
const quietHoursSchema = z.object({ from: hourMinute, to: hourMinute });
export type QuietHours = z.infer<typeof quietHoursSchema>;

/** Maximum length of a webhook's URL. */
const MAX_URL = 2000;
const webhookSchema = z.object({
  /** Reference `${secret:NAME}` to the stored URL, or the URL itself if no secret can be stored. */
  url: z.string().min(1).max(MAX_URL),
  template: z.enum(['json', 'ntfy', 'slack', 'discord']).default('json'),
});
export type Webhook = z.output<typeof webhookSchema>;

/** The `alerts` part of settings.json. */
export const alertSettingsSchema = z
  .looseObject({
    rules: alertRulesSchema.default([]),
    quietHours: quietHoursSchema.optional(),
    webhook: webhookSchema.optional(),
  })
  .prefault({});
export type AlertSettings = z.output<typeof alertSettingsSchema>;

/** Change of how alerts are sent. Omitted parts stay unchanged, `null` removes a part, `webhook` without a URL keeps the URL. */
export const alertChannelSchema = z.strictObject({
  webhook: webhookSchema.partial({ url: true }).nullish(),
  quietHours: quietHoursSchema.nullish(),
});
export type AlertChannel = z.output<typeof alertChannelSchema>;

/** Record of one or more alerts (`count`) of the same rule that were not sent. */
const unsentSchema = z.object({
  at: z.number(),
  /** Id of the rule; empty if the record is about log lines that came too fast to be searched. */
  rule: z.string(),
  what: z.string(),
  reason: z.string(),
  status: z.number().optional(),
  count: z.number(),
});
export type UnsentAlert = z.infer<typeof unsentSchema>;

export const alertsViewSchema = z.object({
  rules: z.array(alertRuleSchema),
  quietHours: quietHoursSchema.optional(),
  /** Webhook as shown to the user. `url` is a reference to a secret, or only the URL's origin, as the path may be secret. */
  webhook: webhookSchema.extend({ isInPlainText: z.boolean() }).optional(),
  /** Number of alerts that wait to be sent. */
  waiting: z.number(),
  /** The last alerts that were not sent, newest first. */
  unsent: z.array(unsentSchema),
});
export type AlertsView = z.infer<typeof alertsViewSchema>;

/** Outcome of a test alert. All fields are absent if it was sent only to the desktop. */
export const alertTestSchema = z.object({
  status: z.number().optional(),
  /** First 500 characters of the response. */
  body: z.string().optional(),
  error: z.string().optional(),
});
export type AlertTest = z.infer<typeof alertTestSchema>;
