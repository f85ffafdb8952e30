import { restartStorySchema, storyQuerySchema } from '../../restart-story.ts';
import { trendSchema } from '../../trend.ts';
import { call, named } from '../call.ts';

/** Calls about the reasons of restarts, and about what is to come. */
export const storyCalls = {
  /** Ends of a server's runs within a time span: one page of the ends, and the patterns that all ends of the span show. */
  getRestartStory: call({ method: 'restarts', args: [storyQuerySchema], result: restartStorySchema }),
  /** Lasting rise of a server's memory by the last full hour; undefined without one. */
  getTrend: call({ method: 'trend', args: named, result: trendSchema.optional() }),
};
