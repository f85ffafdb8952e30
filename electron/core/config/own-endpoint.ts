/** Whether a text names the panel's own gateway, or carries a token for it. */
export type IsOwnEndpoint = (text: string) => boolean;

/** Clients get such a token of the panel, and nothing else has one. */
const TOKEN = /mcpcp_[\w-]{43}/;
const ADDRESS = /https?:\/\/[^\s"'<>]{1,8192}/gi;
/** Host names as `URL` writes them: it knows every spelling of an address, such as `127.1` or `0x7f000001`. */
const THIS_MACHINE =
  /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|(?:[^.]{1,63}\.)?localhost\.?|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]|\[::ffff:0:0\])$/;
const SERVED = /^\/(?:servers\/|mcp(?:\/|$))/;

/** The address of the gateway, as far as it is known: a server behind it would be the panel itself. */
export class OwnEndpoint {
  #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  /** Tells the port on which the gateway listens. True where that is another one than before. */
  listensAt(port: number): boolean {
    const isOther = port !== this.#port;
    this.#port = port;
    return isOther;
  }

  readonly isOwn: IsOwnEndpoint = (text) =>
    TOKEN.test(text) || (text.match(ADDRESS) ?? []).some((address) => this.#isAddress(address));

  #isAddress(address: string): boolean {
    try {
      const { protocol, hostname, port, pathname } = new URL(address);
      const usual = protocol === 'https:' ? 443 : 80;
      const isHere = (port === '' ? usual : Number(port)) === this.#port && THIS_MACHINE.test(hostname);
      return isHere && SERVED.test(pathname);
    } catch {
      return false;
    }
  }
}
