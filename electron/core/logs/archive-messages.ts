import type { LogContent } from '../../../shared/log-lines.ts';
import type { ArchiveQuery, ArchiveSlice, ContentQuery } from './log-archive.ts';

/** Data with which the archive thread starts. */
export interface ArchiveStart {
  readonly folder: string;
  readonly serversFolder: string;
}

/** Request to the archive thread. `secrets` are sent when they have changed. */
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
  /** The reason why there is no answer, as text for the user. */
  readonly failure?: string;
}
