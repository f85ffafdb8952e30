#!/usr/bin/env node
/**
 * `mcp-control-panel connect <server>`: a bridge that connects a client that speaks only stdio to a server of MCP Control
 * Panel. It is bundled into one file for plain Node. Only protocol messages go to stdout; messages for the user go to stderr.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { systemClock } from '../platform/system-clock.ts';
import { DEFAULT_PORT, gatewayAddress, panelHome } from '../gateway-client/panel-address.ts';
import { PanelLink, panelAnswers } from './panel-link.ts';
import type { PanelTarget } from '../gateway-client/panel-request.ts';
import { Relay } from './relay.ts';
import { linesOf, MAX_LINE } from '../gateway-client/wire.ts';

const USAGE =
  'usage: mcp-control-panel connect <server> [--token TOKEN], or the token in MCP_CONTROL_PANEL_TOKEN. The panel is looked for in MCP_CONTROL_PANEL_HOME, else where the app keeps its files.';
const TOKEN = 'MCP_CONTROL_PANEL_TOKEN';

const say = (words: string) => void process.stderr.write(`mcp-control-panel: ${words}\n`);

function readCommand(): { readonly server: string; readonly token: string | undefined } | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { token: { type: 'string' } },
    });
    const [command, server, ...rest] = positionals;
    if (command !== 'connect' || !server || rest.length > 0) return undefined;
    return { server, token: values.token ?? process.env[TOKEN] };
  } catch {
    return undefined;
  }
}

async function toClient(text: string): Promise<void> {
  if (!process.stdout.write(`${text}\n`) && process.stdout.writable) await once(process.stdout, 'drain');
}

function connect(server: string, token: string | undefined): Relay {
  const home = panelHome(process.env);
  if (!token) say(`there is no token, so the panel cannot be asked; ${USAGE}`);
  let target: PanelTarget = { port: DEFAULT_PORT, server, token: token ?? '' };
  return new Relay({
    clock: systemClock,
    toClient,
    say,
    toPanel: token ? (events) => new PanelLink(() => target, events) : undefined,
    panelAnswers: (timeoutMs) => {
      // The port is read each time, because the panel's settings may have changed while the panel was not running.
      const { port } = gatewayAddress(home);
      if (port === undefined) return Promise.resolve(false);
      target = { ...target, port };
      return panelAnswers(target, timeoutMs);
    },
    startOwn: async (events) => {
      const { startOwnServer } = await import('./own-server.ts');
      const env = { ...process.env, [TOKEN]: undefined, MCP_CONTROL_PANEL_HOME: undefined };
      return startOwnServer({
        home,
        server,
        env,
        events,
        say,
        onStderr: (part) => process.stderr.write(part),
      });
    },
  });
}

async function serve(relay: Relay): Promise<void> {
  let isEnding = false;
  const end = async (isAtOnce: boolean) => {
    if (isEnding) return;
    isEnding = true;
    await relay.end(isAtOnce);
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(true));
  // Writing fails once the client has disconnected; the bridge then ends.
  process.stdout.on('error', () => void end(true));
  process.stderr.on('error', () => undefined);
  relay.connect();
  for await (const text of linesOf(process.stdin, MAX_LINE)) relay.take(text);
  await end(false);
}

/** Runs `keep <home> [panel command]`: the doorkeeper, which keeps the port open while no panel runs. The panel starts it. */
async function keepPort([home = '', ...panelCommand]: readonly string[]): Promise<void> {
  process.stdout.on('error', () => undefined);
  const { keep } = await import('../doorkeeper/main.ts');
  const onWaiting = () => void process.stdout.write('waiting\n');
  await keep({ home, panelCommand, stdin: process.stdin, onWaiting, env: process.env, say });
  process.exit(0);
}

const [verb, ...words] = process.argv.slice(2);
const command = verb === 'keep' ? undefined : readCommand();
if (verb === 'keep') void keepPort(words);
else if (command) void serve(connect(command.server, command.token));
else {
  say(USAGE);
  process.exitCode = 2;
}
