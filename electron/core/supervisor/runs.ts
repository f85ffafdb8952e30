/** Both kinds of run in one module. It is loaded, together with the MCP SDK, when the first server starts. */
export { RemoteRun } from './remote/remote-run.ts';
export { StdioRun } from './run/stdio-run.ts';
