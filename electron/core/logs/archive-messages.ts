import type { LogContent } from '../../../shared/log-lines.ts';
import type { ArchiveQuery, ArchiveSlice, ContentQuery } from './log-archive.ts';

/** What the thread of the archive is started with. */
export interface ArchiveStart {
  readonly folder: string;
  readonly serversFolder: string;
}

/** What is asked of it. `secrets` come along where they are others than before. */
export type ArchiveRequest = {
  readonly id: number;
  readonly secrets?: readonly string[] | undefined;
} & (
  | { readonly ask: 'slice'; readonly query: ArchiveQuery }
  | { readonly ask: 'content'; readonly query: ContentQuery }
);

export interface ArchiveReply {
  readonly id: number;
  readonly answer?: ArchiveSlice | LogContent;
  /** Why there is no answer, for people. */
  readonly failure?: string;
}
