import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface OwnCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Time from the spawn of a server, without a panel, to its answer to the handshake, or to this request behind it; in milliseconds. */
export async function ownStartMs({ command, args, ...place }: OwnCommand, request?: object): Promise<number> {
  const beganMs = performance.now();
  const child = spawn(command, args, { ...place, stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  const exited = once(child, 'exit');
  const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'bench', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  say({ id: 1, method: 'initialize', params });
  for await (const line of createInterface(child.stdout)) {
    // Some print words before they speak.
    if (!line.startsWith('{')) continue;
    const { id } = JSON.parse(line) as { readonly id?: number };
    if (id === 2 || (id === 1 && request === undefined)) break;
    if (id !== 1) continue;
    say({ method: 'notifications/initialized' });
    say({ id: 2, ...request });
  }
  const tookMs = performance.now() - beganMs;
  process.kill(-child.pid!, 'SIGKILL');
  await exited;
  return tookMs;
}
