import { z } from 'zod';
import { alertChannelSchema, alertRulesSchema, alertsViewSchema, alertTestSchema } from '../../alerts.ts';
import { call } from '../call.ts';

/** Calls about alerts: rules, and where alerts are sent. */
export const alertsCalls = {
  getAlerts: call({ method: 'get', result: alertsViewSchema }),
  /** Replaces all rules. @throws CONFIG_INVALID for a pattern that cannot be read */
  putAlertRules: call({ method: 'putRules', args: [alertRulesSchema] }),
  putAlertChannel: call({ method: 'putChannel', args: [alertChannelSchema] }),
  /** Sends a test alert of this rule at once, also in quiet hours. */
  testAlert: call({ method: 'test', args: [z.string().max(100)], result: alertTestSchema }),
};
