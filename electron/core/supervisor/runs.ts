/** Both kinds of run in one module, which is loaded with the first server that starts, together with the MCP SDK. */
export { RemoteRun } from './remote/remote-run.ts';
export { StdioRun } from './run/stdio-run.ts';
