import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { RunHost, ServerView } from '../../shared/domain.ts';
import { commandsFor, shownMark } from '../../shared/server-states.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { ServerControls } from '../commands/server-controls.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { StateLine } from './state-line.tsx';
import { formatClockTime, formatDay, formatMoment } from '../format/moments.ts';
import { saysSince } from '../format/state-phrases.ts';
import { MoreButton } from '../commands/more-button.tsx';
import { withShortcut } from '../commands/shortcuts.ts';
import { hrefOf } from '../store/route-store.ts';
import { useNow, useServices } from '../services.ts';
import { useEntry } from '../editor/use-entry.ts';
import { isObject } from '../entry/raw-entry.ts';
import { formatCount, formatMemory, MISSING } from '../format/figures.ts';
import { transportNames } from '../format/server-list.ts';
import { whereOf } from '../format/server-place.ts';
import { useToolWords } from './row-cells.tsx';

function withoutReason(server: ServerView): ServerView {
  const { kind, since, nextRetryAt } = server.state;
  return { ...server, state: { kind, since, nextRetryAt } };
}

interface ServerHeaderProps {
  readonly server: ServerView;
  /** Whether the view below shows the reason for the state, so that the header shows only the time of the state. */
  readonly isCauseTold?: boolean;
}

/** Header of a server: its name, its state and the time since when, the commands, and key facts. */
export function ServerHeader({ server, isCauseTold = false }: ServerHeaderProps) {
  const { name, state } = server;
  const head = useRef<HTMLHeadingElement>(null);
  // On a new page, the focus starts at the heading, for keyboard and screen readers.
  useEffect(() => head.current?.focus(), []);
  return (
    <header className="flex-none max-w-1440 px-12 pt-2 pb-8">
      {/* On a narrow page the state wraps to its own line, because it does not fit between the name and the commands. */}
      <div className="flex items-center gap-x-8 gap-y-4 min-h-44 py-4 max-[761px]:flex-wrap">
        <a
          className="flex items-center justify-center flex-none size-28 rounded-md text-dim hover:bg-hover hover:text-text"
          href={hrefOf({ view: 'servers' })}
          aria-label="Back to all servers"
          data-tip={withShortcut('Back to all servers', 'back')}
        >
          <Icon name="back" />
        </a>
        {/* A state that is too long to fit beside the name wraps to the line below. */}
        <div className="flex flex-wrap items-center gap-x-8 min-w-0 flex-1 max-[761px]:contents">
          <h1
            ref={head}
            className="page-title flex-none truncate max-w-[60%] max-[761px]:flex-1 max-[761px]:max-w-none"
            tabIndex={-1}
            data-home
          >
            {name}
          </h1>
          {/* The glyph is centred on the first line. */}
          <p className="flex items-start gap-8 min-w-0 flex-auto px-4 max-[761px]:flex-[1_0_100%] max-[761px]:order-1 [&>svg]:mt-2">
            <StateShape kind={shownMark(server)} />
            <StateLine server={isCauseTold ? withoutReason(server) : server} isWhole>
              {!saysSince(state.kind) && <Since at={state.since} />}
            </StateLine>
          </p>
        </div>
        <ServerControls server={name} allowed={commandsFor(server)} isLabelled />
        <MoreButton server={name} />
      </div>
      <div className="flex items-center flex-wrap gap-x-12 px-4">
        <ServerChips server={server} />
        <div className="flex items-center gap-4 min-w-0 flex-[1_1_200px]">
          <code className="truncate text-12 select-text" data-tip={server.target} data-tip-if-cut>
            {server.target}
          </code>
          <CopyButton
            name={server.transport === 'stdio' ? 'Copy the command' : 'Copy the address'}
            text={server.target}
          />
        </div>
        <ServerDetails server={server} />
      </div>
    </header>
  );
}

function Since({ at }: { readonly at: number }) {
  const words = useNow((now) => (formatDay(at) === formatDay(now) ? formatClockTime(at) : formatMoment(at)));
  return (
    <time
      className="inline-block ml-6 text-12 text-faint"
      dateTime={new Date(at).toISOString()}
      data-tip={formatMoment(at)}
    >
      since {words}
    </time>
  );
}

/** Rarely needed facts of a server: a button at the end of the line of chips, which shows the facts below the line. */
export function ServerDetails({ server }: { readonly server: ServerView }) {
  const [isOpen, setIsOpen] = useState(false);
  const factsId = useId();
  return (
    <>
      <button
        type="button"
        className="flex items-center gap-4 flex-none h-28 pr-6 pl-4 rounded-md text-12 text-dim hover:bg-hover hover:text-text aria-expanded:*:rotate-90"
        aria-expanded={isOpen}
        aria-controls={isOpen ? factsId : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name="more" size={12} /> Details
      </button>
      {isOpen && <Facts id={factsId} server={server} />}
    </>
  );
}

function Facts({ id, server }: { readonly id: string; readonly server: ServerView }) {
  const { name, transport, host, pid, generation, restarts24h = 0, autoStart, disabled = false } = server;
  const { api } = useServices();
  const { entry } = useEntry(api, name);
  const folder = entry?.['cwd'];
  const started = disabled ? 'never, it is disabled' : autoStart ? 'with the panel' : 'by hand only';
  return (
    <dl id={id} className="flex flex-wrap gap-x-24 gap-y-8 flex-[1_0_100%] pb-4">
      <Fact term="Started">{started}</Fact>
      <Fact term="Transport">{transportNames[transport]}</Fact>
      <Fact term="Starts so far">{formatCount(generation)}</Fact>
      <Fact term="Restarts">{formatCount(restarts24h)} in 24 h</Fact>
      {host?.workload !== undefined && <Fact term="Runs in">{host.workload}</Fact>}
      {host?.pods !== undefined && <Fact term="Pods">{host.pods}</Fact>}
      {transport === 'stdio' ? (
        <>
          <Fact term="Process">{pid === undefined ? 'none' : `pid ${pid}`}</Fact>
          {host?.kind === 'container' && <Fact term="Container">{containerWords(host)}</Fact>}
          {host?.kind === 'pod' && <Fact term="Pod">{containerWords(host)}</Fact>}
          <Fact term="Working folder">
            {typeof folder === 'string' ? folder : entry && 'your home folder'}
          </Fact>
          <Fact term="Environment">{entry && namesOf(entry['env'])}</Fact>
        </>
      ) : (
        <Fact term="Headers">{entry && namesOf(entry['headers'])}</Fact>
      )}
    </dl>
  );
}

/**
 * Text with the container id, shortened as container engines show it, or with the name of the pod, and with the maximum memory.
 */
function containerWords({ id, kind, memoryLimitBytes }: RunHost): string {
  if (id === undefined) return 'none';
  const limit = memoryLimitBytes === undefined ? '' : `, may use ${formatMemory(memoryLimitBytes)}`;
  return `${kind === 'pod' ? id : id.slice(0, 12)}${limit}`;
}

/** Names of environment variables or headers. Their values are omitted, because they may be secrets. */
function namesOf(pairs: unknown): string {
  const names = isObject(pairs) ? Object.keys(pairs) : [];
  return names.length === 0 ? 'none of its own' : names.join(', ');
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-68 max-w-420">
      <dt className="caption">{term}</dt>
      <dd className="wrap-anywhere select-text">{children ?? MISSING}</dd>
    </div>
  );
}

/** Key facts of a server in one line. Facts that do not apply are omitted. */
export function ServerChips({ server }: { readonly server: ServerView }) {
  const { serverInfo, name } = server;
  const tools = useToolWords(name);
  const { words: place, hint = '' } = whereOf(server);
  return (
    <ul className="flex flex-wrap flex-none max-w-full empty:hidden" aria-label={`About ${name}`}>
      {serverInfo !== undefined && (
        <Chip tip="Its name and version, as reported by the server">{`${serverInfo.name} ${serverInfo.version}`}</Chip>
      )}
      {place !== undefined && (
        <Chip tip={hint}>
          <Icon name="container" size={12} /> {place}
        </Chip>
      )}
      {tools !== undefined && <Chip tip="Tools it offers">{tools}</Chip>}
      {server.isTlsUnverified === true && (
        <Chip
          tip="Its entry says tls.verify: false. Anyone on the network path can impersonate it."
          isWarning
        >
          certificate not checked
        </Chip>
      )}
    </ul>
  );
}

interface ChipProps {
  readonly tip: string;
  readonly isWarning?: boolean;
  readonly children: ReactNode;
}

/** One of several short texts in a line. Warnings are subtle but noticeable. */
function Chip({ tip, isWarning = false, children }: ChipProps) {
  return (
    <li
      className={`truncate max-w-320 text-12 not-first:after-dot [&>svg]:align-[-2px] ${isWarning ? 'text-suspect' : 'text-dim'}`}
      data-tip={tip}
    >
      {children}
    </li>
  );
}
