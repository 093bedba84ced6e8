import { notAcceptable } from '../base/status-error.ts';
import { encodeJson } from '../schema/encode.ts';
import { encodeObject } from './answer/encode.ts';
import { type Answer, mereText } from './answer/respond.ts';
import { apiVersions, group, groupList, resourceList } from './discovery.ts';
import type { Exchange } from './exchange.ts';
import type { PathHandler, RequestServices } from './services.ts';

type Issuing = RequestServices['authentication'];

/** The document of a path that is no resource; undefined when nothing answers there. */
export function pathHandler(path: string, services: RequestServices): PathHandler | undefined {
  const fixed = services.paths.get(path);
  if (fixed) return fixed;
  if (path.startsWith('/openapi/v3/')) {
    return async (exchange, served) =>
      (await import('./openapi/answers.ts')).openApiV3(exchange, path.slice('/openapi/v3/'.length), served);
  }
  const [, first = '', second = '', third = '', fourth] = path.split('/');
  if (fourth !== undefined) return undefined;
  switch (first) {
    case 'api':
      return second === 'v1' && !third
        ? (exchange, { resources }) => resourceList(exchange, resources, '', 'v1')
        : undefined;
    case 'apis':
      return groupHandler(second, third, services);
    default:
      return undefined;
  }
}

function groupHandler(name: string, version: string, served: RequestServices): PathHandler | undefined {
  const { resources, aggregated } = served;
  if (!name || !(resources.hasGroup(name) || aggregated.hasGroup(name))) return undefined;
  if (version) {
    if (!resources.hasGroupVersion(name, version))
      return resources.hasBuiltInGroup(name) ? undefined : () => notThere();
    return (exchange) => resourceList(exchange, resources, name, version);
  }
  return (exchange) => group(exchange, served, name) ?? notThere();
}

const notThere = (): Answer => mereText(404, '404 page not found\n');

/** Paths that every server has, by their exact text. A trailing slash makes no difference, except under health checks. */
export function fixedPaths(services: Pick<RequestServices, 'health'>): Map<string, PathHandler> {
  const paths = new Map<string, PathHandler>([
    ['/api', apiVersions],
    ['/apis', groupList],
    ['/version', (exchange, { version }) => json(exchange, version)],
    ['/logs', logFiles],
    ['/metrics', ({ info }, { metrics }) => (info.method === 'DELETE' ? metrics.reset() : metrics.answer())],
    ['/debug/flags/v', async (exchange, served) => (await import('./log-level.ts')).setLogLevel(exchange, served)],
    ['/.well-known/openid-configuration', (exchange, { authentication }) => issuerDocument(exchange, authentication)],
    ['/openid/v1/jwks', (exchange, { authentication }) => issuerKeys(exchange, authentication)],
    ['/openapi/v2', async (exchange, served) => (await import('./openapi/answers.ts')).openApiV2(exchange, served)],
    [
      '/openapi/v3',
      async (exchange, served) => (await import('./openapi/answers.ts')).openApiV3Index(exchange, served),
    ],
  ]);
  for (const path of services.health.paths()) paths.set(path, healthHandler(path));
  const index: PathHandler = (exchange, served) => plainDocument(exchange, { paths: indexOf(served) });
  paths.set('/', index);
  paths.set('/index.html', index);
  return paths;
}

/** The files of a server's logs are told in HTML alone, and this one writes none. @throws 406 */
function logFiles(exchange: Exchange): Answer {
  const accept = exchange.header('accept') ?? '*/*';
  if (/text\/(?:html|\*)|\*\/\*/.test(accept)) return notThere();
  throw notAcceptable(['text/html']);
}

/** Where clients of service account tokens find out how to verify them. */
function issuerDocument(exchange: Exchange, { serviceAccountIssuer }: Issuing): Promise<Answer> {
  const host = exchange.header(':authority') ?? exchange.header('host') ?? '';
  return json(exchange, serviceAccountIssuer.configuration(`https://${host}`));
}

const keySetType = 'application/jwk-set+json';

/** @throws 406 */
function issuerKeys(exchange: Exchange, { serviceAccountIssuer }: Issuing): Answer {
  const accept = exchange.header('accept') ?? '';
  if (accept && !accept.includes('*/*') && !accept.includes(keySetType)) throw notAcceptable([keySetType]);
  return { code: 200, contentType: keySetType, body: encodeJson(serviceAccountIssuer.keySet()) };
}

function healthHandler(path: string): PathHandler {
  const [, endpoint, ...rest] = path.split('/');
  const name = rest.length > 0 ? rest.join('/') : undefined;
  return async (exchange, { health }) =>
    (await health.answer(endpoint as 'healthz' | 'livez' | 'readyz', name, exchange)) ?? notThere();
}

/** JSON, unless the client takes none. @throws 406 */
function json(exchange: Exchange, value: unknown): Promise<Answer> {
  exchange.negotiate({ mediaTypes: ['application/json'], transforms: [], oneForm: true, ranges: true });
  return plainDocument(exchange, value);
}

/** JSON, whatever the client takes. */
async function plainDocument(exchange: Exchange, value: unknown): Promise<Answer> {
  return {
    code: 200,
    contentType: 'application/json',
    body: await encodeObject(value, 'application/json', exchange.isPretty),
  };
}

/** All paths that can be read, sorted. */
function indexOf({ paths, resources, aggregated }: RequestServices): string[] {
  const found = new Set(paths.keys());
  found.delete('/');
  found.delete('/index.html');
  for (const { group: name, served } of resources.all()) {
    if (name) found.add(`/apis/${name}`);
    found.add(name ? `/apis/${name}/${served.version}` : `/api/${served.version}`);
  }
  for (const { group: name, version } of aggregated.all) found.add(`/apis/${name}`).add(`/apis/${name}/${version}`);
  return [...found].sort();
}
