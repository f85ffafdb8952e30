/** Scheme of links that open the app. electron-builder.yml declares it for the packages. */
export const LINK_SCHEME = 'mcp-control-panel';

/** Maximum characters in a link; longer links are ignored. A configuration is short, but a web page's link may be any length. */
const LONGEST_LINK = 32_768;
/** Characters that no address of a view contains: quotes, blanks, control characters and the like. */
const NOT_IN_VIEW = /[^\w%.~,=&?/:+-]/;

/** Returns the link among the arguments with which the system starts the app; undefined if there is none. */
export const linkIn = (argv: readonly string[]): string | undefined =>
  argv.find((argument) => argument.toLowerCase().startsWith(`${LINK_SCHEME}:`));

/**
 * Returns the fragment of the page to which a link leads. `mcp-control-panel://open/servers/github` opens a view, and
 * `mcp-control-panel://import?config=…` asks the user whether to add the servers in the text. A link can do nothing else.
 * Returns undefined for any other text.
 */
export function fragmentOfLink(link: string): string | undefined {
  const [scheme = '', address = ''] = link.length > LONGEST_LINK ? [] : link.split('://', 2);
  const end = address.search(/[/?]/);
  if (scheme.toLowerCase() !== LINK_SCHEME || end === -1) return undefined;
  const rest = link.slice(scheme.length + 3 + end);
  switch (address.slice(0, end).toLowerCase()) {
    case 'open':
      return rest.startsWith('/') && !NOT_IN_VIEW.test(rest) ? `#${rest}` : undefined;
    case 'import': {
      const asked = rest.startsWith('/') ? rest.slice(1) : rest;
      const config = asked.startsWith('?') ? (new URLSearchParams(asked).get('config') ?? '') : '';
      return config.trim() === '' ? undefined : `#/import?config=${encodeURIComponent(config)}`;
    }
    default:
      return undefined;
  }
}

interface OpenedByLink {
  on(event: 'open-url', listener: (event: { preventDefault(): void }, url: string) => void): unknown;
}

/** Collects the links that the system passes to the app, from the start on. Texts that are not links of this app are ignored. */
export class LinkInbox {
  #first = '';
  #open: ((fragment: string) => void) | undefined;

  /** @param argv arguments of the app's start. macOS sends links as `open-url` events instead, even before the app is ready */
  constructor(app: OpenedByLink, argv: readonly string[]) {
    this.take(linkIn(argv) ?? '');
    app.on('open-url', (event, url) => {
      event.preventDefault();
      this.take(url);
    });
  }

  /** Fragment of the last link that arrived before there was a listener; empty if there was none. */
  get first(): string {
    return this.#first;
  }

  follow(open: (fragment: string) => void): void {
    this.#open = open;
  }

  take(link: string): void {
    const fragment = fragmentOfLink(link);
    if (fragment === undefined) return;
    if (this.#open === undefined) this.#first = fragment;
    else this.#open(fragment);
  }
}
