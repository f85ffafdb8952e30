import { restartStorySchema, storyQuerySchema } from '../../restart-story.ts';
import { trendSchema } from '../../trend.ts';
import { call, named } from '../call.ts';

/** Calls about the reasons for restarts, and about trends that may lead to problems. */
export const storyCalls = {
  /** Ends of a server's runs within a time span: one page of ends, and the patterns found in all ends of the span. */
  getRestartStory: call({ method: 'restarts', args: [storyQuerySchema], result: restartStorySchema }),
  /** Lasting rise of a server's memory up to the last full hour; undefined if there is none. */
  getTrend: call({ method: 'trend', args: named, result: trendSchema.optional() }),
};
