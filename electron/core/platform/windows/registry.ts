import { execFile } from 'node:child_process';
import { isUtf8 } from 'node:buffer';
import { win32 } from 'node:path';
import { variableOf } from '../child-environment.ts';
import type { LoginCapture } from '../login-path.ts';
import { systemProgram } from './system-program.ts';
import { decodeIn, WESTERN, type CodePages } from './text-decoding.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the output of `reg query` for a key. Rejects if the key is missing or unreadable. */
export type QueryRegistry = (key: string, value?: string) => Promise<Buffer>;

/** Maximum milliseconds for a query, which normally takes a few tens of milliseconds. */
const TIMEOUT_MS = 5000;
const CODE_PAGES = String.raw`HKLM\SYSTEM\CurrentControlSet\Control\Nls\CodePage`;
/** Registry keys of the machine's and the user's environment variables. Windows builds PATH from both, in this order. */
const ENVIRONMENTS = [
  String.raw`HKLM\SYSTEM\CurrentControlSet\Control\Session Manager\Environment`,
  String.raw`HKCU\Environment`,
];

/** Returns a query function that runs the system's reg.exe. */
export function registryQuery(environment: Environment): QueryRegistry {
  const program = systemProgram('reg.exe', environment);
  return (key, value) =>
    new Promise((resolve, reject) => {
      const args = ['query', key, ...(value === undefined ? [] : ['/v', value])];
      const options = { encoding: 'buffer', timeout: TIMEOUT_MS, windowsHide: true } as const;
      execFile(program, args, options, (error, stdout) =>
        error === null ? resolve(stdout) : reject(new Error(`${program} failed: ${error.message}`)),
      );
    });
}

/** Returns a function that reads this system's code pages on its first call and then returns the same result. Never rejects. */
export function codePagesOf(query: QueryRegistry): () => Promise<CodePages> {
  let known: Promise<CodePages> | undefined;
  return () => (known ??= readCodePages(query));
}

/** Reads the code pages; returns those of Western Europe if the system does not report any. */
async function readCodePages(query: QueryRegistry): Promise<CodePages> {
  const text = await query(CODE_PAGES).then(
    (bytes) => bytes.toString('latin1'),
    () => '',
  );
  const read = (name: string) => Number(valueIn(text, name)) || undefined;
  return { console: read('OEMCP') ?? WESTERN.console, ansi: read('ACP') ?? WESTERN.ansi };
}

/**
 * Returns the PATH that a program started now would get, including folders added by installations since the panel started.
 * Never rejects. @param codePages used to decode output of reg.exe that is not UTF-8
 */
export async function captureRegistryPath(
  query: QueryRegistry,
  environment: Environment,
  codePages: () => Promise<CodePages>,
): Promise<LoginCapture> {
  const outputs = await Promise.all(
    ENVIRONMENTS.map((key) => query(key, 'Path').catch((error: Error) => error)),
  );
  const paths: string[] = [];
  for (const output of outputs) {
    if (output instanceof Error) continue;
    const text = isUtf8(output) ? output.toString() : decodeIn((await codePages()).console, output);
    const path = valueIn(text, 'Path');
    if (path !== undefined && path !== '') paths.push(expanded(path, environment));
  }
  const problem = outputs.find((output) => output instanceof Error)?.message;
  return paths.length === 0
    ? { source: 'none', problem: problem ?? 'the registry has no PATH' }
    : { source: 'registry', path: absoluteOnly(paths.join(';')) };
}

/** Reads a value from a line such as `    Path    REG_EXPAND_SZ    %USERPROFILE%\bin;C:\tools`. */
function valueIn(text: string, name: string): string | undefined {
  return new RegExp(String.raw`^ +${name} +REG_(?:EXPAND_)?SZ +(\S.*)$`, 'im').exec(text)?.[1]?.trimEnd();
}

/** Expands variables; an unset one is left unchanged, as in Windows. */
function expanded(text: string, environment: Environment): string {
  return text.replaceAll(
    /%([^%;]+)%/g,
    (whole, name: string) => variableOf(environment, name, 'win32') ?? whole,
  );
}

/** Removes relative folders, also those with an unexpanded variable: they would be resolved below the server's working folder. */
function absoluteOnly(path: string): string {
  const folders = path.split(';').filter((folder) => win32.isAbsolute(folder.replaceAll('"', '')));
  return folders.join(';');
}
