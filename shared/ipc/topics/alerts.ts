import { z } from 'zod';
import { alertChannelSchema, alertRulesSchema, alertsViewSchema, alertTestSchema } from '../../alerts.ts';
import { call } from '../call.ts';

/** Calls about alerts: rules, and where alerts are sent. */
export const alertsCalls = {
  getAlerts: call({ method: 'get', args: z.tuple([]), result: alertsViewSchema, texts: 'raw' }),
  /** Replaces all rules. @throws CONFIG_INVALID for a pattern that cannot be read */
  putAlertRules: call({ method: 'putRules', args: z.tuple([alertRulesSchema]) }),
  putAlertChannel: call({ method: 'putChannel', args: z.tuple([alertChannelSchema]) }),
  /** Sends a test alert of this rule at once, also in quiet hours. */
  testAlert: call({
    method: 'test',
    args: z.tuple([z.string().max(100)]),
    result: alertTestSchema,
    texts: 'readable',
  }),
};
