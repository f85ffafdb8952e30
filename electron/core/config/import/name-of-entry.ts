/** Programs that start another one, which is what the server is. */
const RUNNERS =
  /^(npx|bunx|uvx|pipx|uv|pnpm|yarn|bun|deno|node|python3?|py|docker|podman|cmd|sh|bash|env)(\.exe|\.cmd)?$/i;
/** Words of a command line that name no server. */
const FILLERS = /^(run|dlx|exec|x|tool|start|-.*|\/c)$/i;

/** A name for an entry that came without one: its `name`, else what its command line or URL names. */
export function nameOfEntry(value: unknown): string {
  const { name, command, args, url, serverUrl, httpUrl } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name === 'string' && name !== '') return name;
  const address = [url, serverUrl, httpUrl].find((item) => typeof item === 'string');
  if (address !== undefined) return hostOf(address);
  const words = [command, args].flat().filter((word) => typeof word === 'string');
  const telling = words.find((word) => !RUNNERS.test(lastPart(word)) && !FILLERS.test(word));
  return telling === undefined
    ? 'server'
    : lastPart(telling)
        .replace(/(.)[@=:].*$/, '$1')
        .replace(/\.[a-z]{1,4}$/i, '');
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
