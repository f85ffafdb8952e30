import { z } from 'zod';
import { restartStorySchema, storyQuerySchema } from '../../restart-story.ts';
import { call } from '../call.ts';

/** Why servers restarted. */
export const storyCalls = {
  /** The ends of a server's runs in the span, a page of them, and what all of them have in common. */
  getRestartStory: call({
    method: 'restarts',
    args: z.tuple([storyQuerySchema]),
    result: restartStorySchema,
  }),
};
