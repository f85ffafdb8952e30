import type { ServerView } from '../../shared/domain.ts';
import type { ErrorCode, ErrorReport } from '../../shared/error-codes.ts';
import type { Fix } from '../../shared/fix.ts';
import { ownValue } from '../../shared/own-value.ts';
import { RUNNER_FAMILIES } from '../../shared/package-run.ts';
import { programName } from '../../shared/program-name.ts';
import type { SignInView } from '../../shared/sign-in.ts';
import { formatHourMinute } from './moments.ts';

/** Part of a server's entry that is focused when its form opens for editing. */
export type EditTarget = 'command' | 'args' | 'env' | 'cwd' | 'url' | 'headers' | 'limits';

/** Remedy for an error that the user can apply with one click. */
export type Remedy =
  | {
      readonly kind: 'edit';
      readonly label: string;
      readonly target: EditTarget;
      /** Command that replaces the current one. */
      readonly command?: string;
      /** Names of the variables for which the form gets an empty row. */
      readonly variables?: readonly string[];
    }
  /** Opens a dialog: to review a changed entry, to enter missing values, or to sign in. */
  | { readonly kind: 'open'; readonly label: string; readonly dialog: 'consent' | 'missing' | 'sign-in' }
  /** Copies the address of a page, or a command for a terminal. */
  | { readonly kind: 'copy'; readonly label: string; readonly text: string };

type Judged = Pick<ServerView, 'transport'>;

/** Returns at most three remedies for an error, the most likely first. */
export function remediesFor(error: ErrorReport, server: Judged): readonly Remedy[] {
  const { code, fix } = error;
  const known = fix === undefined ? byCode[code]?.(error, server) : byFix(fix, server);
  return (known ?? fallback(code, server)).slice(0, 3);
}

const edit = (
  label: string,
  target: EditTarget,
  more: Partial<Extract<Remedy, { kind: 'edit' }>> = {},
): Remedy => ({ kind: 'edit', label, target, ...more });
const copy = (label: string, text: string): Remedy => ({ kind: 'copy', label, text });

/** Download pages of the programs that start servers, by command. */
const installPages: Readonly<Record<string, readonly [program: string, page: string]>> = Object.fromEntries(
  (
    [
      ...RUNNER_FAMILIES.map(({ programs, install }) => [programs.join(' '), ...install] as const),
      ['node corepack', 'Node.js', 'https://nodejs.org/en/download'],
      ['docker', 'Docker', 'https://docs.docker.com/get-started/get-docker/'],
      ['podman', 'Podman', 'https://podman.io/docs/installation'],
      ['bun', 'Bun', 'https://bun.sh/docs/installation'],
      ['deno', 'Deno', 'https://docs.deno.com/runtime/getting_started/installation/'],
      ['python python3 pip pip3', 'Python', 'https://www.python.org/downloads/'],
      ['go', 'Go', 'https://go.dev/doc/install'],
      ['java', 'Java', 'https://adoptium.net/installation/'],
      ['dotnet', '.NET', 'https://dotnet.microsoft.com/download'],
    ] satisfies (readonly [commands: string, program: string, page: string])[]
  ).flatMap(([commands, program, page]) =>
    commands.split(' ').map((command) => [command, [program, page] as const]),
  ),
);

/** Returns the remedy that copies the address of a command's download page; empty for an unknown command. */
function install(command: string | undefined, verb = 'Install'): readonly Remedy[] {
  const page = ownValue(installPages, programName(command ?? ''));
  return page === undefined ? [] : [copy(`${verb} ${page[0]}: copy its address`, page[1])];
}

const editCommand = edit('Edit command…', 'command');
const editArguments = edit('Edit arguments…', 'args');
const editEnvironment = edit('Edit environment…', 'env');
const editFolder = edit('Edit working folder…', 'cwd');
const editAddress = edit('Edit address…', 'url');
const editHeaders = edit('Edit headers…', 'headers');
const editLimits = edit('Edit limits…', 'limits');

const byCode: Partial<Record<ErrorCode, (error: ErrorReport, server: Judged) => readonly Remedy[]>> = {
  COMMAND_NOT_FOUND: ({ data }) => [
    ...(data?.suggestion === undefined
      ? []
      : [edit(`Use “${data.suggestion}”…`, 'command', { command: data.suggestion })]),
    editCommand,
    ...install(data?.wrong),
  ],
  PERMISSION_DENIED: () => [editCommand],
  CWD_MISSING: () => [editFolder],
  AUTH_REQUIRED: () => [editHeaders, editAddress],
  UNREACHABLE: () => [editAddress],
  SIGN_IN_REQUIRED: () => [{ kind: 'open', label: 'Sign in…', dialog: 'sign-in' }],
  CONSENT_REQUIRED: () => [{ kind: 'open', label: 'Review the change…', dialog: 'consent' }],
  SECRET_MISSING: () => [{ kind: 'open', label: 'Enter the values…', dialog: 'missing' }],
  LIMIT_BREACHED: () => [editLimits],
  STALLED: () => [edit('Edit supervision…', 'limits')],
  START_TIMEOUT: () => [edit('Allow it more time…', 'limits')],
};

/** Returns the remedy for errors without another: to edit the command or address, if the entry may be the cause. */
function fallback(code: ErrorCode, { transport }: Judged): readonly Remedy[] {
  if (code !== 'START_FAILED' && code !== 'CRASHED' && code !== 'PROTOCOL_ERROR' && code !== 'SERVER_ERROR')
    return [];
  return [transport === 'stdio' ? editCommand : editAddress];
}

function byFix(fix: Fix, { transport }: Judged): readonly Remedy[] {
  switch (fix.kind) {
    case 'set-variable':
      return [
        edit(`${fix.isSet ? 'Correct' : 'Set'} ${fix.variable}…`, 'env', {
          variables: fix.isSet ? [] : [fix.variable],
        }),
      ];
    case 'replace-placeholder':
    case 'check-path':
      return transport === 'stdio' ? [editArguments, editEnvironment] : [editAddress, editHeaders];
    case 'start-engine':
    case 'allow-engine':
      return [...install(fix.engine, fix.kind === 'start-engine' ? 'Install' : 'Set up'), editCommand];
    case 'check-image':
    case 'remove-container':
    case 'check-package':
    case 'check-arguments':
      return [editArguments];
    case 'install-command':
      return [...install(fix.command), editCommand];
    case 'install-module':
      return [editCommand];
    case 'update-runtime':
      return [...install(fix.runtime, 'Update'), editCommand];
    case 'check-network':
    case 'check-service':
    case 'check-credential':
      return transport === 'stdio' ? [editEnvironment, editArguments] : [editHeaders, editAddress];
    case 'free-port':
      return [editArguments, editEnvironment];
    case 'allow-access':
      return [editArguments];
    case 'free-memory':
      return [editEnvironment, editLimits];
    case 'repair-cache':
      return [copy('Copy the command', fix.command)];
    case 'read-log':
      return [copy('Copy the folder of its log', fix.folder)];
    case 'free-disk':
      return [];
  }
}

/** Text for the state of a sign-in: "Signed in as ada until 14:20 · renews itself". */
export function signInWords({ state, account, until, renews }: SignInView): string {
  if (state === 'needed') return 'Sign in to go on';
  if (state === 'open') return 'Waiting for your answer in the browser';
  const who = account === undefined ? '' : ` as ${account}`;
  const end = until === undefined ? '' : ` until ${formatHourMinute(until)}`;
  return `Signed in${who}${end}${renews === true ? ' · renews itself' : ''}`;
}
