/** Exports both kinds of run from one module, which is loaded, together with the MCP SDK, only when the first server starts. */
export { RemoteRun } from './remote/remote-run.ts';
export { StdioRun } from './run/stdio-run.ts';
