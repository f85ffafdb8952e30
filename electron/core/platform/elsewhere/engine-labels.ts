/** Labels of what the panel starts on an engine elsewhere: the home folder of the panel, as a digest, the run, and the server. */
export const HOME_LABEL = 'mcp-control-panel.home';
export const RUN_LABEL = 'mcp-control-panel.run';
export const SERVER_LABEL = 'mcp-control-panel.server';
