import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { connectClient } from '../../fixtures/gateways/connect-client.ts';
import { connectBareClient } from './bare-client.ts';
import type { Target } from './targets.ts';

/** Client that is connected to a target. */
export interface Caller {
  /** First text of the tool's answer. */
  callTool(name: string, args: object): Promise<string>;
  close(): Promise<void>;
}

/** Kind of client. `sdk`: like most programs. `bare`: so cheap that it does not hide the cost of the gateway. */
export type CallerKind = 'sdk' | 'bare';

/** Callers, connected one after the other, because some gateways start a process for each. The caller closes them. */
export async function connectCallers(target: Target, kind: CallerKind, count: number): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (let index = 0; index < count; index += 1)
    callers.push(kind === 'sdk' ? await sdkCaller(target) : await connectBareClient(target));
  return callers;
}

export async function closeCallers(callers: readonly Caller[]): Promise<void> {
  await Promise.all(callers.map((caller) => caller.close()));
}

async function sdkCaller(target: Target): Promise<Caller> {
  const { client, close } = await connectClient(target);
  return {
    callTool: async (name, args) => {
      const result = await client.callTool({ name, arguments: { ...args } });
      const [first] = (result as CallToolResult).content;
      return first?.type === 'text' ? first.text : '';
    },
    close,
  };
}
