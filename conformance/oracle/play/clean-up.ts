import { mergePatchHeaders } from '../../verbs/patch-types.ts';
import type { Observation } from './observation.ts';
import { outlineOf, type Scenario } from './scenario.ts';
import type { Side } from './side.ts';

/** `/api/v1/namespaces/x/pods/y/status` in its parts; undefined for what is no object or collection. */
const objectPath = /^(\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+))(?:\/([^/]+))?/;

/** Collections in namespaces and objects outside of them that were written to. */
function written(own: string, observations: readonly Observation[]): { collections: string[]; objects: string[] } {
  const [collections, objects] = [new Set<string>(), new Set<string>()];
  for (const { step, status, bytes } of observations) {
    if (status < 200 || status > 299 || !['POST', 'PUT', 'PATCH'].includes(step.method)) continue;
    const [, collection = '', namespace, , name] = objectPath.exec(step.path.replaceAll('<own>', own)) ?? [];
    if (namespace) collections.add(collection);
    const found = name ?? /"name":\s*"([^"]+)"/.exec(bytes.toString('utf8'))?.[1];
    if (found?.includes(own)) objects.add(`${collection}/${found}`);
  }
  return { collections: [...collections], objects: [...objects] };
}

/** Takes away what a play made. What fails to go is in a namespace or under a name that nobody else uses. */
export async function cleanUp(
  side: Side,
  scenario: Scenario,
  own: string,
  observations: readonly Observation[],
): Promise<void> {
  const { collections, objects } = written(own, observations);
  const send = (method: string, path: string, options = {}): Promise<unknown> =>
    side.client.send(method, path, options).catch(() => undefined);
  // Who is asked about every write could refuse what follows.
  await Promise.all(
    objects.filter((path) => path.includes('webhookconfigurations')).map((path) => send('DELETE', path)),
  );
  if (outlineOf(scenario).text.includes('finalizers')) await release(send, observations, own);
  await Promise.all(collections.map((path) => send('DELETE', path, { query: { gracePeriodSeconds: 0 } })));
  await Promise.all(objects.map((path) => send('DELETE', path, { query: { gracePeriodSeconds: 0 } })));
  const more = objects.filter((path) => path.startsWith('/api/v1/namespaces/')).map((path) => path.slice(19));
  const all = [...Array.from({ length: scenario.namespaces }, (_, at) => `${own}-${at + 1}`), ...more];
  await Promise.all(all.map((name) => dropNamespace(side, name)));
}

type Try = (method: string, path: string, options?: object) => Promise<unknown>;

/** Objects that wait for somebody would stay for good. */
async function release(send: Try, observations: readonly Observation[], own: string): Promise<void> {
  const paths = observations.flatMap(({ step, bytes, status }) => {
    if (status > 299 || step.method === 'GET') return [];
    const [item, , , , name] = objectPath.exec(step.path.replaceAll('<own>', own)) ?? [];
    if (item === undefined) return [];
    const found = name ?? /"name":\s*"([^"]+)"/.exec(bytes.toString('utf8'))?.[1];
    return found ? [name ? item : `${item}/${found}`] : [];
  });
  const body = JSON.stringify({ metadata: { finalizers: null } });
  await Promise.all([...new Set(paths)].map((path) => send('PATCH', path, { body, headers: mergePatchHeaders })));
}

/** Takes a namespace away; where no controller empties the list of its finalizers, this does. */
export async function dropNamespace({ client }: Side, name: string): Promise<void> {
  const path = `/api/v1/namespaces/${name}`;
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: [] } };
  await client.send('DELETE', path).catch(() => undefined);
  await client.send('PUT', `${path}/finalize`, { body }).catch(() => undefined);
}
