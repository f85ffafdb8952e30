import { z } from 'zod';
import { PACKAGE_ENGINES } from '../../container-entry.ts';
import { runOnSchema } from '../../panel-settings.ts';
import { call, named } from '../call.ts';

const engineSchema = z.enum(PACKAGE_ENGINES);

/** State of a container engine, as its client program on this machine reports it. */
const engineViewSchema = z.object({
  engine: engineSchema,
  /** Version of the engine; undefined if the engine could not be reached. */
  version: z.string().optional(),
  /** Error message of the client program if the engine could not be reached. */
  problem: z.string().optional(),
  /** Disk space of the engine's images, as the client program writes it: `1.2GB`. */
  imagesSize: z.string().optional(),
});
export type EngineView = z.infer<typeof engineViewSchema>;

/** Calls about container engines. */
export const enginesCalls = {
  /** Engines whose client program is on this machine, whether the engines run or not. */
  findEngines: call({ method: 'find', result: z.array(engineSchema) }),
  /** Queries the state of each of these engines. Resolves within a few seconds, even if an engine hangs. */
  getEngines: call({ method: 'ask', result: z.array(engineViewSchema) }),
  /** What a container would need to run the server as it runs now, and on which other engines the container could run. */
  getContainerNeeds: call({
    method: 'needs',
    args: named,
    result: z.object({
      /** Installed version of the package, if the server's command line does not specify a version. */
      version: z.string().optional(),
      /** Existing files and folders that the server's arguments and variables name. */
      paths: z.array(z.string()),
      /** Engines elsewhere: contexts of the docker client, and engines on which other servers run. */
      places: z.array(runOnSchema),
    }),
  }),
};
