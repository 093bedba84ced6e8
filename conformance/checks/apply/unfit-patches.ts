import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';

/** What a Deployment has, of which the patches below make no sense. */
const first = { name: 'first', image: 'registry.example/first:1' };
const second = { name: 'second', image: 'registry.example/second:1' };
const pod = { containers: [first], imagePullSecrets: [{ name: 'one' }] };

const inPod = (spec: Json): Json => ({ spec: { template: { spec } } });

/** Instructions that there are not, or not there, and such as speak of something else than is sent along. */
const unfit: Readonly<Record<string, Json>> = {
  'an instruction for a map that there is not': { spec: { strategy: { $patch: 'merge', type: 'Recreate' } } },
  'an instruction for an element that there is not': inPod({ containers: [{ name: 'first', $patch: 'remove' }] }),
  'an element without its key': inPod({ imagePullSecrets: [{}] }),
  'a text to retain': { spec: { strategy: { $retainKeys: 'type', type: 'Recreate' } } },
  'a key that is not retained': { spec: { strategy: { $retainKeys: ['rollingUpdate'], type: 'Recreate' } } },
  'a text as the order of elements': inPod({ '$setElementOrder/containers': 'first', containers: [first] }),
  'an order that does not name an element': inPod({
    '$setElementOrder/containers': [{ name: 'second' }],
    containers: [first],
  }),
  'elements in another order than the one that is asked for': inPod({
    '$setElementOrder/containers': [{ name: 'first' }, { name: 'second' }],
    containers: [second, first],
  }),
  'texts in another order than the one that is asked for': {
    metadata: {
      finalizers: ['example.com/two', 'example.com/one'],
      '$setElementOrder/finalizers': ['example.com/one', 'example.com/two'],
    },
  },
  'an order of elements without their keys': inPod({ '$setElementOrder/containers': [{}], containers: [first] }),
  'an order of nothing that it names': { metadata: { $setElementOrder: ['a'] } },
  'texts to take out of nothing that it names': { metadata: { $deleteFromPrimitiveList: ['a'] } },
  'texts and objects in one list': { metadata: { finalizers: ['example.com/one', { name: 'two' }] } },
  'a list': [{ spec: { paused: true } }],
  'a text': '"spec"',
};

/** Who sends a strategic merge patch that makes no sense is told, and nothing of it is done. */
export async function refusesUnfit(
  deployments: Collection,
  expect: RuleContext['expect'],
  name: string,
): Promise<void> {
  await deployments.change(
    name,
    inPod({ ...pod, containers: [{ name: 'gone', $patch: 'replace' }, first] }),
    'strategic',
  );
  const { spec } = await deployments.read(name);
  for (const [what, patch] of Object.entries(unfit)) {
    const { status } = await deployments.patch(name, patch, { type: 'strategic' });
    expect(status, what).toBeGreaterThanOrEqual(400);
  }
  expect((await deployments.read(name)).spec, 'after all of them').toEqual(spec);
}
