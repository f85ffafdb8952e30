import { z } from 'zod';

/** News from the app around the panel to the page. */
export const shellNewsSchema = z.object({
  /**
   * - `quit-asked`: somebody wants to quit while calls are in flight; `getQuitQuestion` says which.
   * - `minimised`: closing minimised the window, because nothing could bring a hidden one back.
   */
  kind: z.enum(['quit-asked', 'minimised']),
});
export type ShellNews = z.infer<typeof shellNewsSchema>;
