import { programName, wrapperOfCommand } from '../../platform/wrapper-programs.ts';

/** Programs that run a script, which is what the server is. */
const INTERPRETERS = /^(deno|node|python3?|py)$/;
/** Words of a command line that name no server. */
const FILLERS = /^(run|dlx|exec|x|tool|start|-.*|\/c|\w+=.*|\d+[smhd]?)$/i;

/** A name for an entry that came without one: its `name`, else what its command line or URL names. */
export function nameOfEntry(value: unknown): string {
  const { name, command, args, url, serverUrl, httpUrl } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name === 'string' && name !== '') return name;
  const address = [url, serverUrl, httpUrl].find((item) => typeof item === 'string');
  if (address !== undefined) return hostOf(address);
  const words = [command, args].flat().filter((word) => typeof word === 'string');
  const telling = words.find((word) => !runsAnother(lastPart(word)) && !FILLERS.test(word));
  return telling === undefined
    ? 'server'
    : lastPart(telling)
        .replace(/(.)[@=:].*$/, '$1')
        .replace(/\.[a-z]{1,4}$/i, '');
}

function runsAnother(program: string): boolean {
  return wrapperOfCommand(program) !== undefined || INTERPRETERS.test(programName(program));
}

function lastPart(path: string): string {
  return (
    path
      .split(/[\\/]/)
      .filter((part) => part !== '')
      .at(-1) ?? ''
  );
}

function hostOf(address: string): string {
  try {
    return new URL(address).hostname.replace(/^(www|mcp|api)\./, '');
  } catch {
    return 'server';
  }
}
