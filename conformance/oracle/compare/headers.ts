import type { Observation } from '../play/observation.ts';
import type { Naming } from './naming.ts';

/** By which flow schema and level a request was let in, of those that the play has made. */
const flowHeaders = ['x-kubernetes-pf-flowschema-uid', 'x-kubernetes-pf-prioritylevel-uid'];
const compared = [
  ...['content-type', 'content-encoding', 'location', 'retry-after', 'www-authenticate', 'allow', 'cache-control'],
  ...['vary', 'x-content-type-options', 'sec-websocket-accept', 'sec-websocket-protocol'],
];
/** What stands in them is the server's own: they are there or not. */
const present = ['etag', 'last-modified'];

/** What of them goes with any answer, wherever a server or what stands before it adds it: it is told once, and not by requests. */
export const anywhere: ReadonlySet<string> = new Set([...present, 'vary', 'x-content-type-options']);

/** An address without the hash of the schema, which speaks of everybody's types. */
export const withoutHash = (text: string): string =>
  text.includes('?hash=') ? text.replace(/(\?hash=)[0-9A-F]{9,}/g, '$1<hash>') : text;

/** The headers of an answer that are compared. @param type its content type, spelled alike wherever it comes from */
export function headersOf(
  { headers, warnings }: Observation,
  type: string,
  naming: Naming,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of compared) if (headers[name] !== undefined) found[name] = naming.withoutOwn(headers[name]);
  for (const name of present) if (headers[name] !== undefined) found[name] = '<some>';
  if (type !== '') found['content-type'] = type;
  if (warnings.length > 0) found['warnings'] = warned(warnings);
  if (found['location'] !== undefined) found['location'] = withoutHash(found['location']);
  for (const name of flowHeaders) {
    const known = naming.known(headers[name] ?? '');
    if (known !== undefined) found[name] = known;
  }
  const asked = headers['audit-id'];
  if (asked !== undefined) found['audit-id'] = naming.isOwn(asked) ? naming.withoutOwn(asked) : '<some>';
  return found;
}

/** How many texts there are, how often each comes, and what stands before them: a code and who warns. */
function warned(warnings: readonly string[]): string {
  const heads = new Set(warnings.map((one) => one.slice(0, one.indexOf('"') + 1)));
  const repeats = warnings.length - new Set(warnings).size;
  return `${warnings.length - repeats} of ${[...heads].join()}${repeats > 0 ? `, ${repeats} once more` : ''}`;
}
