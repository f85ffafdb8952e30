import { z } from 'zod';
import { alertChannelSchema, alertRulesSchema, alertsViewSchema, alertTestSchema } from '../../alerts.ts';
import { call } from '../call.ts';

/** Calls about alerts: rules, and where alerts are sent. */
export const alertsCalls = {
  getAlerts: call({ method: 'get', result: alertsViewSchema }),
  /** Replaces all rules. @throws CONFIG_INVALID for an invalid pattern */
  putAlertRules: call({ method: 'putRules', args: [alertRulesSchema] }),
  putAlertChannel: call({ method: 'putChannel', args: [alertChannelSchema] }),
  /** Sends a test alert of this rule immediately, even in quiet hours. */
  testAlert: call({ method: 'test', args: [z.string().max(100)], result: alertTestSchema }),
};
