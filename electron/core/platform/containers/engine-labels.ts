import { createHash } from 'node:crypto';

/**
 * Labels of the containers that the panel starts on an engine: the panel's data folder (as a digest), the run, and the server.
 */
export const HOME_LABEL = 'mcp-control-panel.home';
export const RUN_LABEL = 'mcp-control-panel.run';
export const SERVER_LABEL = 'mcp-control-panel.server';

/** Value of the label that distinguishes the containers of one data folder from those of other panels. */
export const homeOf = (folder: string): string =>
  createHash('sha256').update(folder).digest('hex').slice(0, 16);

export const homeLabelOf = (folder: string): string => `${HOME_LABEL}=${homeOf(folder)}`;
