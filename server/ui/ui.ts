import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { methodNotAllowed } from '../base/status-error.ts';
import type { Incoming, Outgoing } from '../request/exchange.ts';
import type { RecentRequests } from '../request/recent-requests.ts';
import type { PathHandler } from '../request/services.ts';

/** Where the page is. */
export const uiPath = '/touchstone/ui/';
/** Where the page hears of requests and watches. */
export const activityPath = '/touchstone/activity';

const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' } as const;

const read = (name: string, type: keyof typeof types) => ({
  type: types[type],
  body: readFileSync(new URL(`${name}.${type}`, import.meta.url)),
});

/** The page holds nothing secret and calls nobody but its server. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const styles = ['grid', 'page'] as const;
const scripts = ['page', 'objects', 'events', 'activity', 'faults', 'api', 'dom', 'grid', 'yaml'] as const;

/** Answers the requests for the page's own files, which anybody may have; whether a request was one of those. */
export function makeUi(): (incoming: Incoming, outgoing: Outgoing) => boolean {
  const files = new Map([
    [uiPath, read('page', 'html')],
    ...styles.map((name) => [`${uiPath}${name}.css`, read(name, 'css')] as const),
    ...scripts.map((name) => [`${uiPath}${name}.js`, read(name, 'js')] as const),
  ]);
  return (incoming, outgoing) => {
    const [path = ''] = (incoming.url ?? '').split('?');
    const file = files.get(path);
    if (!file || !['GET', 'HEAD'].includes(incoming.method ?? '')) return false;
    incoming.resume();
    (outgoing as ServerResponse).writeHead(200, {
      'content-type': `${file.type}; charset=utf-8`,
      'content-length': file.body.length,
      'cache-control': 'no-cache',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    outgoing.end(incoming.method === 'HEAD' ? '' : file.body);
    return true;
  };
}

/** The latest requests, and the watches that are open, with how many bytes their clients have yet to take. */
export const activityEndpoint =
  (recent: RecentRequests): PathHandler =>
  ({ info }) => {
    if (info.method !== 'GET') throw methodNotAllowed();
    const body = `${JSON.stringify({ requests: recent.all, watches: recent.watches })}\n`;
    return { code: 200, contentType: 'application/json', body };
  };
