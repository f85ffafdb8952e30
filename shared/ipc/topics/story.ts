import { z } from 'zod';
import { restartStorySchema, storyQuerySchema } from '../../restart-story.ts';
import { call } from '../call.ts';

/** Calls about the reasons of restarts. */
export const storyCalls = {
  /** Ends of a server's runs in the span, one page of them, and patterns of all of them. */
  getRestartStory: call({
    method: 'restarts',
    args: z.tuple([storyQuerySchema]),
    result: restartStorySchema,
  }),
};
