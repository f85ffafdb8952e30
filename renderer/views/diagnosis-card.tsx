import type { ReactNode } from 'react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import { tellError } from '../format/error-story.ts';
import { markTarget } from '../format/marked-words.ts';
import { toPlainText } from '../format/plain-text.ts';
import { endingKinds } from '../format/run-end-words.ts';
import { RaiseLimit } from '../events/way-out.tsx';
import { usePanel, useServices } from '../services.ts';
import { hrefOf } from '../store/route-store.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { shownState, stateWords } from '../../shared/server-states.ts';
import { remediesFor, type Remedy } from '../format/remedies.ts';
import { TextButton } from '../ui/text-button.tsx';
import { dialogOf } from './edit-place.ts';
import { errorAsText } from '../format/error-words.ts';
import { formatMoment } from '../format/moments.ts';

interface DiagnosisCardProps {
  readonly server: ServerView;
  readonly error: ErrorReport;
  readonly events: readonly PanelEvent[];
  /**
   * Start of the sentence, which names the failed command, for example "Could not start"; undefined if the error does not come
   * from a command that the user gave.
   */
  readonly lead?: string | undefined;
}

/** Card with the reason why a server is down and what to do about it, in the order in which a user would ask. */
export function DiagnosisCard({ server, error, events, lead }: DiagnosisCardProps) {
  const { name } = server;
  const { headline, more, lines } = tellError(error);
  const breach = error.code === 'LIMIT_BREACHED' ? lastBreach(events, name) : undefined;
  return (
    <section
      className="card flex flex-col gap-12 flex-none max-w-1408 m-16 p-16 border-l-3 border-l-failed"
      aria-label="What is wrong"
      {...(lead !== undefined && { role: 'alert' })}
    >
      {/* The glyph is centred on the first line. */}
      <header className="flex items-start gap-8 [&>svg]:mt-4">
        <StateShape kind={shownState(server)} />
        <h2 className="min-w-0 flex-1 wrap-anywhere select-text text-16/24 font-semibold">
          {lead !== undefined && <span className="text-dim font-medium">{lead}: </span>}
          {toPlainText(headline)}
        </h2>
        <code className="flex-none pt-4 text-12/16 text-dim">{error.code}</code>
      </header>
      {more !== undefined && (
        <p className="max-h-60 -mt-8 overflow-auto wrap-anywhere select-text text-dim">{toPlainText(more)}</p>
      )}
      {lines.length > 0 && <StderrLines lines={lines} />}
      <Started server={server} error={error} />
      {error.remedy !== undefined && <p className="wrap-anywhere select-text">{error.remedy}</p>}
      {breach !== undefined && (
        // The margins and the padding are removed, because they are meant for the list of events, where this element is below
        // indented text.
        <div className="*:m-0! *:p-0!">
          <RaiseLimit eventId={breach.id} breach={breach.detail} server={name} />
        </div>
      )}
      <WaysOn server={server} error={error} events={events} />
    </section>
  );
}

/** Actions that the user can take, and links to further information. */
function WaysOn({ server, error, events }: Omit<DiagnosisCardProps, 'lead'>) {
  const { name } = server;
  const lastEnd = events.findLast((event) => event.server === name && endingKinds.has(event.kind));
  return (
    <div className="flex items-center flex-wrap gap-8">
      <RemedyButtons server={server} error={error} />
      <a className="quiet-link px-8" href={hrefOf({ view: 'server', name, tab: 'logs' })}>
        Open logs
      </a>
      {lastEnd !== undefined && (
        <a
          className="quiet-link px-8"
          href={hrefOf({ view: 'server', name, tab: 'restarts', end: lastEnd.id })}
        >
          Why did it restart?
        </a>
      )}
      <span className="flex-1" />
      <ReportButton server={server} error={error} />
    </div>
  );
}

/** Last lines of stderr; the lines that state the cause are marked. */
const StderrLines = ({ lines }: Pick<ReturnType<typeof tellError>, 'lines'>) => (
  <pre
    className="flex flex-col max-h-152 py-8 rounded-md bg-sunken leading-20 text-dim *:px-12 *:border-l-2"
    aria-label="From stderr"
    tabIndex={0}
  >
    {lines.map(({ text, isCause }, index) =>
      isCause ? (
        <mark key={index} className="border-failed bg-failed/10 text-text">
          {toPlainText(text)}
        </mark>
      ) : (
        <span key={index} className="border-transparent">
          {toPlainText(text)}
        </span>
      ),
    )}
  </pre>
);

/** Command or address of the attempted start, with the incorrect word highlighted and also announced to screen readers. */
function Started({
  server: { target, transport },
  error,
}: {
  readonly server: ServerView;
  readonly error: ErrorReport;
}) {
  const folder = error.code === 'CWD_MISSING' ? error.data?.wrong : undefined;
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-12 gap-y-4">
      <Part term={transport === 'stdio' ? 'Command' : 'Address'}>
        {markTarget(error, target).map(({ text, isMarked }, index) =>
          isMarked ? <Wrong key={index} text={text} /> : text,
        )}
      </Part>
      {folder !== undefined && (
        <Part term="Working folder">
          <Wrong text={folder} />
        </Part>
      )}
    </dl>
  );
}

const Part = ({ term, children }: { readonly term: string; readonly children: ReactNode }) => (
  <>
    <dt className="label">{term}</dt>
    <dd className="max-h-60 overflow-auto font-mono text-12 wrap-anywhere select-text" tabIndex={0}>
      <code>{children}</code>
    </dd>
  </>
);

/** Incorrect word. It is also underlined, because some users cannot see the colour. */
const Wrong = ({ text }: { readonly text: string }) => (
  <mark className="rounded-[2px] bg-failed/12 text-failed font-semibold underline decoration-wavy decoration-1 underline-offset-3">
    {text}
  </mark>
);

function ReportButton({ server, error }: { readonly server: ServerView; readonly error: ErrorReport }) {
  const appVersion = usePanel((state) => state.appVersion);
  const electronVersion = usePanel((state) => state.electronVersion);
  const platform = typeof navigator === 'undefined' ? '' : navigator.platform;
  return (
    <CopyButton
      name="Copy for a bug report"
      label="Copy for a bug report"
      text={bugReport(server, error, { appVersion, electronVersion, platform })}
    />
  );
}

const lastBreach = (events: readonly PanelEvent[], name: string) =>
  events.filter((event) => event.kind === 'limit-breached').findLast(({ server }) => server === name);

/** Buttons for the remedies of an error. The likeliest remedy is first, as the primary button. */
function RemedyButtons({ server, error }: { readonly server: ServerView; readonly error: ErrorReport }) {
  return remediesFor(error, server).map((remedy, index) => (
    <RemedyButton
      key={remedy.label}
      server={server.name}
      remedy={remedy}
      isFirst={index === 0 && error.code !== 'LIMIT_BREACHED'}
    />
  ));
}

interface RemedyButtonProps {
  readonly server: string;
  readonly remedy: Remedy;
  readonly isFirst: boolean;
}

function RemedyButton({ server, remedy, isFirst }: RemedyButtonProps) {
  const { manage } = useServices();
  if (remedy.kind === 'copy')
    return (
      <span data-tip={remedy.text}>
        <CopyButton name={remedy.label} label={remedy.label} text={remedy.text} />
      </span>
    );
  return (
    <TextButton look={isFirst ? 'main' : 'plain'} onClick={() => manage.open(dialogOf(remedy, server))}>
      {remedy.label}
    </TextButton>
  );
}

interface ReportEnvironment {
  readonly appVersion: string;
  readonly electronVersion: string;
  /** Operating system, as named by the browser. */
  readonly platform: string;
}

/**
 * Returns the text for a bug report: the error, how the server was started, and the versions of app and system. The main
 * process has redacted all texts in it. Environment and headers are omitted.
 */
export function bugReport(server: ServerView, error: ErrorReport, on: ReportEnvironment): string {
  const { name, transport, target, state, serverInfo, generation, restartsTotal } = server;
  return [
    errorAsText(error, name),
    '',
    `${transport === 'stdio' ? 'Command' : 'Address'}: ${target}`,
    `Transport: ${transport}`,
    ...(serverInfo === undefined ? [] : [`Server: ${serverInfo.name} ${serverInfo.version}`]),
    `State: ${stateWords[state.kind]} since ${formatMoment(state.since)} (start ${generation}, ${restartsTotal} restarts since the panel started)`,
    `MCP Control Panel ${on.appVersion}, Electron ${on.electronVersion}, ${on.platform}`,
  ].join('\n');
}
