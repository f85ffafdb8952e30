import { z } from 'zod';

/**
 * What the system will do at the next login:
 * - `on`, `off`: it starts the panel, or knows of no panel to start;
 * - `switched-off`: it knows the panel, and a person switched it off in the system's own list;
 * - `needs-approval`: macOS starts it once the person has allowed it;
 * - `unknown`: a run from the source, which nothing starts.
 */
export const loginStateSchema = z.enum(['on', 'off', 'switched-off', 'needs-approval', 'unknown']);
export type LoginState = z.infer<typeof loginStateSchema>;

/** What the system around the app allows it, as of now. */
export const systemStateSchema = z.object({
  startAtLogin: loginStateSchema,
  /** Why notifications do not appear, in the system's words. Absent while they do, as far as is known. */
  notificationProblem: z.string().optional(),
});
export type SystemState = z.infer<typeof systemStateSchema>;
