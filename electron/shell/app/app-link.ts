/** Scheme of links that open the app. electron-builder.yml names it for the packages. */
export const LINK_SCHEME = 'mcp-control-panel';

/** Longest link that is read, because a server's configuration is short and a text from a web page may be of any length. */
const LONGEST_LINK = 32_768;
/** What no address of a view has: quotes, blanks, control characters and the like. */
const NOT_IN_VIEW = /[^\w%.~,=&?/:+-]/;

/** The link among the arguments with which the system starts the app; undefined without one. */
export const linkIn = (argv: readonly string[]): string | undefined =>
  argv.find((argument) => argument.toLowerCase().startsWith(`${LINK_SCHEME}:`));

/**
 * Returns the fragment of the page that a link leads to: `mcp-control-panel://open/servers/github` is a view, and
 * `mcp-control-panel://import?config=…` a question whether to add the servers of the text. No link does more. Undefined for
 * any other text.
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

/** Links that the system hands to the app, from the start on. Whatever is no link of ours does nothing. */
export class LinkInbox {
  #first = '';
  #open: ((fragment: string) => void) | undefined;

  /** @param argv arguments of the start; macOS sends links as events instead, even before the app is ready */
  constructor(app: OpenedByLink, argv: readonly string[]) {
    this.take(linkIn(argv) ?? '');
    app.on('open-url', (event, url) => {
      event.preventDefault();
      this.take(url);
    });
  }

  /** Fragment of the last link before somebody followed them; empty without one. */
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
