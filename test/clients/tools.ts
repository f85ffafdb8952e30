/** Programs without a model: two make one call per process, and one brings the gateway to clients that know only stdio. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createHome, type OwnHome } from './own-home.ts';
import { SERVER, type Way } from './programs.ts';
import type { CallEnd, Session } from './session.ts';

export interface Tool {
  readonly title: string;
  readonly package: string;
  readonly bin: string;
  /** It keeps one session for all calls. */
  readonly hasSessions?: true;
  readonly open: (command: string, way: Way, id: string) => Promise<Session>;
}

const RUN_MS = 60_000;
const headerOf = (way: Way) => (way.kind === 'gateway' ? `Authorization: Bearer ${way.token}` : '');
const urlOf = (way: Way) => (way.kind === 'gateway' ? way.url : '');

const inspector: Tool = {
  title: 'MCP Inspector',
  package: '@modelcontextprotocol/inspector',
  bin: 'mcp-inspector',
  open: async (command, way, id) => {
    const server = ['--cli', urlOf(way), '--transport', 'http', '--header', headerOf(way), '--method'];
    return oneShots(command, createHome(id, {}), [...server, 'tools/list'], (name, arg) => [
      ...server,
      'tools/call',
      '--tool-name',
      name,
      '--tool-arg',
      arg,
    ]);
  },
};

const mcporter: Tool = {
  title: 'mcporter',
  package: 'mcporter',
  bin: 'mcporter',
  open: async (command, way, id) => {
    const [, Authorization = ''] = headerOf(way).split(': ');
    const mcpServers = { [SERVER]: { baseUrl: urlOf(way), headers: { Authorization } } };
    const files = { '.mcporter/mcporter.json': JSON.stringify({ mcpServers, imports: [] }) };
    return oneShots(command, createHome(id, files), ['list', SERVER], (name, arg) => [
      'call',
      `${SERVER}.${name}`,
      arg,
    ]);
  },
};

const mcpRemote: Tool = {
  title: 'mcp-remote',
  package: 'mcp-remote',
  bin: 'mcp-remote',
  hasSessions: true,
  open: async (command, way, id) => {
    const { cwd, env, end } = createHome(id, {});
    const client = new Client({ name: 'behind mcp-remote', version: '1.0.0' });
    const args = [urlOf(way), '--header', headerOf(way)];
    const transport = new StdioClientTransport({ command, args, cwd, env, stderr: 'ignore' });
    await client.connect(transport, { timeout: RUN_MS });
    return {
      hasTool: async (wanted) => (await client.listTools()).tools.some(({ name }) => name === wanted),
      call: (name, args, timeout) =>
        timed(async () =>
          JSON.stringify(await client.callTool({ name, arguments: { ...args } }, undefined, { timeout })),
        ),
      end: async () => {
        await client.close();
        end();
      },
    };
  },
};

export const tools = [inspector, mcporter, mcpRemote];

/** A session whose calls are a process each, with the arguments that list tools, and those that call one. */
function oneShots(
  command: string,
  home: OwnHome,
  list: readonly string[],
  callOf: (name: string, arg: string) => readonly string[],
): Session {
  const run = async (args: readonly string[]) =>
    (await promisify(execFile)(command, args, { cwd: home.cwd, env: home.env, timeout: RUN_MS })).stdout;
  return {
    hasTool: async (name) => (await run(list)).includes(name),
    call: (name, args) => timed(() => run(callOf(name, Object.entries(args).join().replace(',', '=')))),
    end: async () => home.end(),
  };
}

/** What the program says, or the error with which it refuses. */
async function timed(call: () => Promise<string>): Promise<CallEnd> {
  const startedAt = performance.now();
  const text = await call().catch(String);
  return { text, seconds: Math.round((performance.now() - startedAt) / 1000), hasProgramEnded: false };
}
