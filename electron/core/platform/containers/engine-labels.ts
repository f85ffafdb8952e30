import { createHash } from 'node:crypto';

/** Labels of what the panel starts on an engine: the home folder of the panel, as a digest, the run, and the server. */
export const HOME_LABEL = 'mcp-control-panel.home';
export const RUN_LABEL = 'mcp-control-panel.run';
export const SERVER_LABEL = 'mcp-control-panel.server';

/** Value of the label that tells the containers of one home folder from those of other panels. */
export const homeOf = (folder: string): string =>
  createHash('sha256').update(folder).digest('hex').slice(0, 16);

export const homeLabelOf = (folder: string): string => `${HOME_LABEL}=${homeOf(folder)}`;
