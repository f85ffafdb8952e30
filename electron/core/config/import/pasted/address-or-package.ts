import { parsedUrl } from '../../../../../shared/parsed.ts';
import { hostOf, nameOfEntry } from '../name-of-entry.ts';
import { type FoundServer, type Refusal, refusedSnippet } from './pasted-text.ts';

const BUNDLE = /\.(?:mcpb|dxt)$/i;
/** Sites whose pages describe servers, but are not servers themselves. */
const PAGES =
  /^(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|hub\.docker\.com|smithery\.ai|glama\.ai|mcp\.so|mcpservers\.org|pulsemcp\.com|modelcontextprotocol\.io|registry\.modelcontextprotocol\.io)$/;
const NPM_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:@[\w.^~-]+)?$/i;
const PYPI_NAME = /^[a-z0-9][a-z0-9._-]*(?:\[[a-z0-9,_-]+\])?(?:(?:==|@)[\w.]+)?$/i;

/** Returns the server of a single word: an address, a package's page, or a package's name. */
export function serverOfWord(word: string): FoundServer | Refusal | undefined {
  if (word.length > 8192) return undefined;
  if (BUNDLE.test(word.split(/[?#]/, 1)[0] ?? '')) return refusedSnippet(ABOUT_BUNDLES);
  if (/^https?:\/\//i.test(word)) return ofAddress(word);
  return ofPackage(word);
}

const ABOUT_BUNDLES =
  'this is a bundle (.mcpb), an archive that cannot be run as it is: download it, unpack it as a ZIP file, and paste the manifest.json that is in it';

function ofAddress(address: string): FoundServer | Refusal {
  const url = parsedUrl(address);
  if (url === undefined) return refusedSnippet('this address cannot be read: expected https://<host>/<path>');
  const npm = /^(?:www\.)?npmjs\.com$/.test(url.hostname) && /^\/package\/(.+?)\/?$/.exec(url.pathname)?.[1];
  const pypi = /^pypi\.org$/.test(url.hostname) && /^\/project\/([^/]+)/.exec(url.pathname)?.[1];
  if (npm) return ofNpm(npm.replace(/\/v\/([\w.-]+)$/, '@$1'));
  if (pypi) return ofPyPi(pypi);
  if (PAGES.test(url.hostname))
    return refusedSnippet(
      `this is a page of ${url.hostname}, not the address of a server: paste the configuration or the command that the page shows`,
    );
  const type = /\/sse\/?$/.test(url.pathname) ? { type: 'sse' } : {};
  return { name: hostOf(address), client: { ...type, url: address } };
}

/** Recognizes the name of a server's package by its npm scope, or because it contains `mcp` or starts with `server-`. */
function ofPackage(word: string): FoundServer | undefined {
  if (/^@[^/]+\/./.test(word)) return NPM_NAME.test(word) ? ofNpm(word) : undefined;
  if (!/(?:^|[-_.])mcp(?:$|[-_.@=[])|^server-/i.test(word) || /^mcp$/i.test(word)) return undefined;
  const isPython = /^mcp[-_]server[-_]|_|==|\[/.test(word) && PYPI_NAME.test(word);
  if (isPython)
    return ofPyPi(word, [`taken for a package of PyPI: if it is one of npm, the command is npx -y ${word}`]);
  if (!NPM_NAME.test(word)) return undefined;
  return ofNpm(word, [`taken for a package of npm: if it is one of PyPI, the command is uvx ${word}`]);
}

const ofNpm = (name: string, remarks?: readonly string[]): FoundServer =>
  withName({ command: 'npx', args: ['-y', name] }, remarks);

const ofPyPi = (name: string, remarks?: readonly string[]): FoundServer =>
  withName({ command: 'uvx', args: [name] }, remarks);

const withName = (client: FoundServer['client'], remarks: readonly string[] | undefined): FoundServer => ({
  name: nameOfEntry(client),
  client,
  ...(remarks !== undefined && { remarks }),
});
