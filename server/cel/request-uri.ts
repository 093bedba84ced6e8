/** What may stand in the name of a host as it is, and the escapes that may: of letters beyond ASCII, and of `%`. */
const hostText = /^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]|[^\0-\x7f]|%25|%[89a-fA-F][0-9a-fA-F])*$/;
const userText = /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/;
const optionalPort = /^(?::\d*)?$/;

const isEscaped = (text: string): boolean => !/%(?![0-9a-fA-F]{2})/.test(text);

function isHost(host: string): boolean {
  const end = host.startsWith('[') ? host.lastIndexOf(']') + 1 : host.lastIndexOf(':');
  if (host.startsWith('[') && end === 0) return false;
  // Within brackets a zone may have a space.
  const text = host.startsWith('[') ? host.replace(/%20/g, '') : host;
  return optionalPort.test(end < 0 ? '' : host.slice(end)) && hostText.test(text);
}

/** A host, perhaps behind a user. */
function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(at, 0));
  return userText.test(user) && isEscaped(user) && isHost(authority.slice(at + 1));
}

interface Pieces {
  readonly scheme: string;
  /** Undefined: there is none, as in `mailto:a` and in `/a`. */
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string;
}

/** @param bare whether an authority may stand without a scheme */
function piecesOf(text: string, bare: boolean): Pieces {
  const [scheme = ''] = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.exec(text) ?? [];
  const [, before = '', query = ''] = /^([^?]*)(?:\?(.*))?$/s.exec(text.slice(scheme.length)) ?? [];
  const named = before.startsWith('//') && (scheme !== '' || (bare && !before.startsWith('///')));
  const slash = named ? before.indexOf('/', 2) : 0;
  const end = slash < 0 ? before.length : slash;
  return {
    ...{ scheme: scheme.slice(0, -1).toLowerCase(), query },
    authority: named ? before.slice(2, end) : undefined,
    path: before.slice(end),
  };
}

const isSound = ({ authority, path }: Pieces): boolean =>
  (authority === undefined || isAuthority(authority)) && (!path.startsWith('/') || isEscaped(path));

/** Whether a text is an absolute URI or an absolute path as it may stand in a request (as Go's net/url reads one). */
export function isRequestUri(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no address may have
  if (/[\0-\x1f\x7f]/.test(text)) return false;
  const pieces = piecesOf(text, false);
  const begins = pieces.scheme !== '' || pieces.path.startsWith('/') || text === '*';
  return begins && isSound(pieces);
}

/** The parts of what is one; undefined: without what stands behind a `#`, or with it, it is none. */
export function partsOfUri(text: string): (Omit<Pieces, 'authority'> & { readonly host: string }) | undefined {
  const [, before = '', fragment = ''] = /^([^#]*)(?:#(.*))?$/s.exec(text) ?? [];
  const pieces = piecesOf(before, true);
  if (!isSound(pieces) || !isEscaped(fragment)) return undefined;
  const { scheme, authority = '', path, query } = pieces;
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return { scheme, host, path: path.startsWith('/') || path === '*' ? escaped(path) : '', query };
}

/** A path as it is where that may be, or else with all escaped that has to be. */
function escaped(path: string): string {
  if (/^[A-Za-z0-9\-_.~!$&'()*+,;=:@/[\]%]*$/.test(path)) return path;
  const bytes = Buffer.from(path).toString('latin1');
  const plain = bytes.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return plain.replace(/[^A-Za-z0-9\-_.~$&+,/:;=@]/g, escapedByte);
}

const escapedByte = (byte: string): string => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
