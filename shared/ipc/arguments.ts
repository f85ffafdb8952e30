import { z } from 'zod';
import { serverNameSchema } from '../server-config.ts';

/** Names a server that should be there. One that could never be is as unknown as any other. */
export const knownNameSchema = z.string().max(200);

/** The arguments of a call that is about one server and takes nothing else. */
export const named = z.tuple([knownNameSchema]);

/** An entry with its name. The entry is checked again, with paths, where it is written or tried. */
export const namedEntrySchema = z.looseObject({ name: serverNameSchema });
