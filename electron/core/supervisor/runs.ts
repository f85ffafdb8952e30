/** Both kinds of run in one file, which is loaded with the first server that starts: with the MCP SDK and its schemas. */
export { RemoteRun } from './remote/remote-run.ts';
export { StdioRun } from './run/stdio-run.ts';
