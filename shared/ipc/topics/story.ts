import { z } from 'zod';
import { restartStorySchema, storyQuerySchema } from '../../restart-story.ts';
import { call } from '../call.ts';

/** Calls about the reasons of restarts. */
export const storyCalls = {
  /** Ends of a server's runs within a time span: one page of the ends, and the patterns that all ends of the span show. */
  getRestartStory: call({
    method: 'restarts',
    args: z.tuple([storyQuerySchema]),
    result: restartStorySchema,
  }),
};
