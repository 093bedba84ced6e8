import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';

const at = { group: '', version: 'v1', resource: 'endpoints', kind: 'Endpoints', namespaced: true } as const;
const [ready, unready] = ['10.77.1.1', '10.77.1.2'];

const told = (name: string, address: string, notReady: string): Json => ({
  ...{ apiVersion: 'v1', kind: 'Endpoints', metadata: { name } },
  subsets: [
    {
      ...{ addresses: [{ ip: address }], notReadyAddresses: [{ ip: notReady }] },
      ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
    },
  ],
});

/**
 * What somebody tells of a Service without a selector stands in slices as well: each address as ready as it is told, and in
 * the same slice while its ports are the same.
 */
export async function mirrorsEndpoints(context: RuleContext): Promise<void> {
  const { services, endpointSlices, kind, waitUntil, longPatience, expect } = context;
  const name = nameOf(await services.create({ spec: { selector: null } }));
  const endpoints = kind(at);
  const slices = async (): Promise<readonly Json[]> =>
    (await endpointSlices.list({ labelSelector: `kubernetes.io/service-name=${name}` })).items;
  const states = async (): Promise<Readonly<Record<string, boolean>>> => {
    const all: Json[] = (await slices()).flatMap((slice: Json) => slice.endpoints ?? []);
    return Object.fromEntries(all.map(({ addresses, conditions }) => [addresses[0], conditions?.ready !== false]));
  };
  const until = (what: string, one: boolean, other: boolean) =>
    waitUntil(what, states, (seen) => seen[ready] === one && seen[unready] === other, { limit: longPatience });
  const made = await endpoints.post(told(name, ready, unready));
  expect(made.status, said(made)).toBe(201);
  await until('one address is ready, and one is not', true, false);
  const before = (await slices()).map(nameOf);
  const put = await endpoints.put(told(name, unready, ready));
  expect(put.status, said(put)).toBe(200);
  await until('it is the other way round', false, true);
  expect((await slices()).map(nameOf), 'the slices that tell of it').toEqual(before);
  // Whoever tells of them writes slices too, or wants none.
  await endpoints.merge(name, { metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } } });
  await waitUntil('what is not to be told of stands in no slice', slices, ({ length }) => length === 0, {
    limit: longPatience,
  });
}
