import type { CallUsageRow } from '../../shared/call-usage.ts';
import { foreignNameProblem } from '../../shared/foreign-names.ts';
import type { ClientTools } from '../../shared/gateway.ts';
import type { StateKind } from '../../shared/server-states.ts';

type Tool = ClientTools['tools'][number];

/** A tool as a client sees it, with its calls by this client in the last 30 days. */
export interface ToolRow extends Tool {
  readonly calls: number;
  readonly lastAt: number | undefined;
}

export interface ServerTools {
  readonly server: string;
  readonly tools: readonly ToolRow[];
}

/** @param rows calls of the client by server and tool */
export function toolRows(
  offers: readonly ClientTools[],
  rows: readonly CallUsageRow[],
  client: string,
): readonly ServerTools[] {
  const used = new Map(
    rows.filter((row) => row.client === client).map((row) => [JSON.stringify([row.server, row.tool]), row]),
  );
  return offers.map(({ server, tools }) => ({
    server,
    tools: tools.map((tool) => {
      const row = used.get(JSON.stringify([server, tool.name]));
      return { ...tool, calls: row?.calls ?? 0, lastAt: row?.lastAt };
    }),
  }));
}

const sum = (tools: readonly ToolRow[]): number => tools.reduce((all, { tokens }) => all + tokens, 0);

/** Tokens that the shown tools cost in each request. */
export const shownTokens = (servers: readonly ServerTools[]): number =>
  sum(servers.flatMap(({ tools }) => tools.filter(({ isHidden }) => !isHidden)));

/** Shown tools that the client never called. */
export function neverCalled(servers: readonly ServerTools[]): {
  readonly servers: readonly ServerTools[];
  readonly count: number;
  readonly tokens: number;
} {
  const unused = servers
    .map(({ server, tools }) => ({
      server,
      tools: tools.filter(({ calls, isHidden }) => calls === 0 && !isHidden),
    }))
    .filter(({ tools }) => tools.length > 0);
  const tools = unused.flatMap((one) => one.tools);
  return { servers: unused, count: tools.length, tokens: sum(tools) };
}

/** About so many tokens, rounded to two digits: "≈ 11 k tokens". */
export function tokenWords(tokens: number): string {
  if (tokens < 100) return `≈ ${tokens} tokens`;
  const digits = 10 ** (Math.floor(Math.log10(tokens)) - 1);
  const rounded = Math.round(tokens / digits) * digits;
  return rounded < 1000 ? `≈ ${rounded} tokens` : `≈ ${rounded / 1000} k tokens`;
}

/** Why the tools of a server are missing for a client, or their calls fail; undefined if nothing is in the way. */
export function whyMissing(
  server: string,
  state: StateKind | undefined,
  program: { readonly id: string; readonly name: string },
  others: readonly string[],
): string | undefined {
  const problem = foreignNameProblem(program.id, server, others);
  if (problem?.effect === 'dropped') return `${program.name} leaves this server out: ${problem.reason}.`;
  if (state === 'failed') return 'It failed: its tools stay listed, and calls are told why.';
  return state === 'stopped' ? 'It is stopped: its tools stay listed.' : undefined;
}
