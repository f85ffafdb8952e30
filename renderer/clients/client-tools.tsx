import { useCallback, useEffect, useMemo, useState } from 'react';
import type { CallUsageQuery, CallUsageRow } from '../../shared/call-usage.ts';
import type { ClientTools, ClientView } from '../../shared/gateway.ts';
import { loadsOnDemand } from '../../shared/tool-price.ts';
import { usePast } from '../charts/use-past.ts';
import { showDirectionControls } from '../format/text-direction.ts';
import { formatAgo } from '../format/durations.ts';
import { formatCount, formatPlural, listWords } from '../format/figures.ts';
import { useNow, usePanel, useServer, useServices, useTask } from '../services.ts';
import { hrefOf } from '../store/route-store.ts';
import { CheckField } from '../ui/check-field.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { programs } from './client-programs.ts';
import { programNamed } from './client-setup.tsx';
import { foreignNameProblem } from '../../shared/foreign-names.ts';
import type { StateKind } from '../../shared/server-states.ts';
import { DAY_MS } from '../../shared/units.ts';
const RECORD_DAYS = 30;
/** Maximum number of servers that a sentence lists by name. */
const FEW_NAMES = 5;

/** List of all tools that a client may see, with the token cost of each, its calls by the client, and a switch to hide it. */
export function ClientToolsSection({ client }: { readonly client: ClientView }) {
  const { offers, servers, hide, error } = useClientTools(client);
  const [words, setWords] = useState('');
  const all = servers.flatMap(({ tools }) => tools);
  const shown = all.filter(({ isHidden }) => !isHidden);
  if (offers === undefined) return null;
  const talking = servers.filter(({ tools }) => tools.length > 0);
  const silent = servers.filter(({ tools }) => tools.length === 0).map(({ server }) => server);
  const lazily = client.sessions.some(({ programs: names }) => names.some(loadsOnDemand));
  return (
    <section className="pt-12 px-16 pb-24" aria-label="Tools">
      <header className="flex flex-wrap items-center gap-x-12 gap-y-4">
        <h2 className="text-14 font-semibold">Tools</h2>
        <span className="flex-1 text-12 text-dim">
          {all.length > 0 &&
            `${formatCount(shown.length)} of ${formatPlural(all.length, 'tool')} shown, ${tokenWords(shownTokens(servers))}${lazily ? '; this client loads tool definitions on demand' : ' in each request'}`}
        </span>
        <SearchField name="Search the tools" words={words} shortcut="" onChange={setWords} width="200px" />
      </header>
      <Unused client={client} servers={servers} onHide={hide} />
      {error !== undefined && <ErrorNote error={error} server={client.name} lead="Not changed" />}
      {silent.length > 0 && (
        <p className="text-12 text-dim">
          <span {...(silent.length > FEW_NAMES && { 'data-tip': listWords(silent) })}>
            {silent.length > FEW_NAMES ? formatPlural(silent.length, 'server') : listWords(silent)}
          </span>
          {` ${silent.length === 1 ? 'has' : 'have'} not listed tools yet.`}
        </p>
      )}
      {talking.map((one) => (
        <ToolsOfServer
          key={one.server}
          client={client}
          server={one}
          words={words.toLowerCase()}
          onHide={hide}
        />
      ))}
    </section>
  );
}

type Hide = (server: string, hidden: readonly string[]) => Promise<void>;

function useClientTools(client: ClientView) {
  const { api, past } = useServices();
  const { status, run } = useTask<ClientTools[]>();
  const change = useTask();
  const { id, name } = client;
  const read = useCallback(() => run(() => api.getClientTools(id)), [api, id, run]);
  useEffect(() => void read(), [read]);
  const to = useNow((now) => Math.ceil(now / 3_600_000) * 3_600_000);
  const query = useMemo((): CallUsageQuery => ({ from: to - RECORD_DAYS * DAY_MS, to, by: 'each' }), [to]);
  const { reply } = usePast(past.callUsage, query, id);
  const [offers, setOffers] = useState<ClientTools[]>();
  if (status?.phase === 'done' && status.value !== offers) setOffers(status.value);
  const servers = useMemo(() => toolRows(offers ?? [], reply?.rows ?? [], name), [offers, reply, name]);
  const hide: Hide = async (server, hidden) => {
    await change.run(() => api.setTools({ client: id, server, hidden: [...hidden] }));
    await read();
  };
  const error = change.status?.phase === 'failed' ? change.status.error : undefined;
  return { offers, servers, hide, error };
}

interface PartProps {
  readonly client: ClientView;
  readonly onHide: Hide;
}

/** Offers to hide the tools that the client has never called, once its calls have been recorded for 30 days. */
function Unused({ client, servers, onHide }: PartProps & { readonly servers: readonly ServerTools[] }) {
  const hasRecord = useNow((now) => client.createdAt > 0 && now - client.createdAt >= RECORD_DAYS * DAY_MS);
  const unused = neverCalled(servers);
  const used = servers.some(({ tools }) => tools.some(({ calls }) => calls > 0));
  if (!hasRecord || !used || unused.count === 0) return null;
  const hideAll = async () => {
    for (const { server, tools } of unused.servers) {
      const hidden = servers.find((one) => one.server === server)!.tools.filter(({ isHidden }) => isHidden);
      await onHide(
        server,
        [...hidden, ...tools].map(({ name }) => name),
      );
    }
  };
  return (
    <p className="text-12 text-dim">
      {`${client.name} has not called ${formatCount(unused.count)} of these tools in ${RECORD_DAYS} days.`}{' '}
      <TextButton onClick={() => void hideAll()}>
        {`Hide ${formatPlural(unused.count, 'tool')}, ${tokenWords(unused.tokens)}`}
      </TextButton>
    </p>
  );
}

interface ServerProps extends PartProps {
  readonly server: ServerTools;
  /** Text of the search in lower case. */
  readonly words: string;
}

function ToolsOfServer({ client, server: { server, tools }, words, onHide }: ServerProps) {
  const state = useServer(server)?.state.kind;
  const others = usePanel(({ names }) => names);
  const program = programNamed(client.name);
  const why = whyMissing(server, state, { id: program, name: programs[program].name }, others);
  const matching = tools.filter(
    ({ name, description = '' }) =>
      `${server} ${name}`.toLowerCase().includes(words) || description.toLowerCase().includes(words),
  );
  if (words !== '' && matching.length === 0) return null;
  const hidden = tools.filter(({ isHidden }) => isHidden).map(({ name }) => name);
  const shown = tools.filter(({ isHidden }) => !isHidden);
  const set = (name: string, isShown: boolean) =>
    void onHide(server, isShown ? hidden.filter((one) => one !== name) : [...hidden, name]);
  return (
    // Check boxes and links are as high as WCAG 2.2, 2.5.8 requires for targets.
    <div className="pt-12 [&_label]:min-h-24 [&_label]:items-center">
      <div className="flex flex-wrap items-center gap-x-12 gap-y-2 font-semibold">
        <CheckField
          label={
            <a
              className="inline-flex items-center min-h-24"
              href={hrefOf({ view: 'server', name: server, tab: 'tools' })}
            >
              {server}
            </a>
          }
          name={`All tools of ${server}`}
          isChecked={shown.length > 0}
          onChange={(isShown) => void onHide(server, isShown ? [] : tools.map(({ name }) => name))}
        />
        <span className="text-12 font-normal text-dim">
          {`${shown.length} of ${tools.length} · ${tokenWords(shownTokens([{ server, tools }]))}`}
        </span>
        {why !== undefined && <span className="text-12 font-normal text-backoff">{why}</span>}
      </div>
      {matching.length > 0 && (
        <table className="table-fixed" aria-label={`Tools of ${server}`}>
          <tbody>
            {matching.map((tool) => (
              <ToolLine key={tool.name} tool={tool} onChange={(isShown) => set(tool.name, isShown)} />
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function ToolLine({
  tool,
  onChange,
}: {
  readonly tool: ToolRow;
  readonly onChange: (isShown: boolean) => void;
}) {
  const { name, description = '', tokens, calls, lastAt, isHidden, isHeld } = tool;
  const ago = useNow((now) => (lastAt === undefined ? 'never called' : formatAgo(now - lastAt)));
  const why = isHidden ? 'hidden' : isHeld ? 'held back: its text has changed' : undefined;
  return (
    <tr className="*:py-2 *:pr-12 *:not-first:pl-0 *:border-b *:border-line hover:bg-hover">
      <td className="w-[30%] pl-24 wrap-anywhere">
        <CheckField label={showDirectionControls(name)} isChecked={!isHidden} onChange={onChange} />
      </td>
      <td className="truncate text-12 text-dim" data-tip={showDirectionControls(description)} data-tip-if-cut>
        {why !== undefined && <span className="text-backoff">{why} · </span>}
        {showDirectionControls(description)}
      </td>
      {[tokenWords(tokens), calls === 0 ? '' : formatPlural(calls, 'call'), ago].map((words, nth) => (
        <td key={nth} className="w-100 whitespace-nowrap text-12 text-right text-dim">
          {words}
        </td>
      ))}
    </tr>
  );
}

type Tool = ClientTools['tools'][number];

/** A tool as a client sees it, with its calls by this client in the last 30 days. */
interface ToolRow extends Tool {
  readonly calls: number;
  readonly lastAt: number | undefined;
}

interface ServerTools {
  readonly server: string;
  readonly tools: readonly ToolRow[];
}

/** @param rows calls of the client by server and tool */
function toolRows(
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

/** Returns the number of tokens that the shown tools cost in each request. */
const shownTokens = (servers: readonly ServerTools[]): number =>
  sum(servers.flatMap(({ tools }) => tools.filter(({ isHidden }) => !isHidden)));

/** Returns the shown tools that the client has never called. */
function neverCalled(servers: readonly ServerTools[]): {
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

/** Returns an approximate number of tokens as text, rounded to two digits: "≈ 11 k tokens". */
function tokenWords(tokens: number): string {
  if (tokens < 100) return `≈ ${tokens} tokens`;
  const digits = 10 ** (Math.floor(Math.log10(tokens)) - 1);
  const rounded = Math.round(tokens / digits) * digits;
  return rounded < 1000 ? `≈ ${rounded} tokens` : `≈ ${rounded / 1000} k tokens`;
}

/** Returns the reason why a client lacks a server's tools or calls to them fail; undefined if there is none. */
function whyMissing(
  server: string,
  state: StateKind | undefined,
  program: { readonly id: string; readonly name: string },
  others: readonly string[],
): string | undefined {
  const problem = foreignNameProblem(program.id, server, others);
  if (problem?.effect === 'dropped') return `${program.name} leaves this server out: ${problem.reason}.`;
  if (state === 'failed') return 'It failed: its tools stay listed, and calls fail with the reason.';
  return state === 'stopped' ? 'It is stopped: its tools stay listed.' : undefined;
}
