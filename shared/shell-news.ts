import { z } from 'zod';

/** News that the main process sends to the page about the app itself. */
export const shellNewsSchema = z.object({
  /**
   * - `quit-asked`: a quit was requested while calls are in flight; `getQuitQuestion` returns them.
   * - `minimised`: closing minimised the app window, because without a tray nothing could show a hidden one again.
   */
  kind: z.enum(['quit-asked', 'minimised']),
});
export type ShellNews = z.infer<typeof shellNewsSchema>;
