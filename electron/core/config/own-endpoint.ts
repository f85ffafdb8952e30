import { parsedUrl } from '../../../shared/parsed.ts';
/** Reports whether a text names the panel's own gateway, or contains a token for it. */
export type IsOwnEndpoint = (text: string) => boolean;

/** Form of the tokens that the panel gives to its clients; nothing else uses it. */
const TOKEN = /mcpcp_[\w-]{43}/;
const ADDRESS = /https?:\/\/[^\s"'<>]{1,8192}/gi;
/** Host names of this machine as `URL` normalizes them, from spellings such as `127.1` or `0x7f000001`. */
const THIS_MACHINE =
  /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|(?:[^.]{1,63}\.)?localhost\.?|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]|\[::ffff:0:0\])$/;
const SERVED = /^\/(?:servers\/|mcp(?:\/|$))/;

/** Recognizes the address of the panel's gateway, by its port. A server at that address would be the panel itself. */
export class OwnEndpoint {
  #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sets the port on which the gateway listens. Returns true if it has changed. */
  listensAt(port: number): boolean {
    const isOther = port !== this.#port;
    this.#port = port;
    return isOther;
  }

  readonly isOwn: IsOwnEndpoint = (text) =>
    TOKEN.test(text) || (text.match(ADDRESS) ?? []).some((address) => this.#isAddress(address));

  #isAddress(address: string): boolean {
    const url = parsedUrl(address);
    if (url === undefined) return false;
    const { protocol, hostname, port, pathname } = url;
    const usual = protocol === 'https:' ? 443 : 80;
    const isHere = (port === '' ? usual : Number(port)) === this.#port && THIS_MACHINE.test(hostname);
    return isHere && SERVED.test(pathname);
  }
}
