import { z } from 'zod';
import { PACKAGE_ENGINES } from '../../container-entry.ts';
import { runOnSchema } from '../../panel-settings.ts';
import { call, named } from '../call.ts';

const engineSchema = z.enum(PACKAGE_ENGINES);

/** State of a container engine, as its client on this machine tells it. */
const engineViewSchema = z.object({
  engine: engineSchema,
  /** Version of the engine; undefined where it was not reached. */
  version: z.string().optional(),
  /** Why it was not reached, in the words of its client. */
  problem: z.string().optional(),
  /** Disk space of its images, as the client writes it: `1.2GB`. */
  imagesSize: z.string().optional(),
});
export type EngineView = z.infer<typeof engineViewSchema>;

/** Calls about container engines. */
export const enginesCalls = {
  /** Engines whose client is on this machine, whether they run or not. */
  findEngines: call({ method: 'find', result: z.array(engineSchema) }),
  /** Asks each of these engines. Resolves within some seconds, because an engine may hang. */
  getEngines: call({ method: 'ask', result: z.array(engineViewSchema) }),
  /** What a container for a server would need to be like the server is now, and where else it could be. */
  getContainerNeeds: call({
    method: 'needs',
    args: named,
    result: z.object({
      /** Version of the package as installed, where its command line leaves it open. */
      version: z.string().optional(),
      /** Existing files and folders that its arguments and variables name. */
      paths: z.array(z.string()),
      /** Engines elsewhere: contexts of the docker client, and those that other servers run on. */
      places: z.array(runOnSchema),
    }),
  }),
};
