import { beforeEach, describe, expect, test } from 'vitest';
import { builtIn, Story } from './story.fixture.ts';

const conflict = (manager: string) => `"${manager}"`;

let story: Story;
beforeEach(() => {
  story = new Story();
});

describe('lists', () => {
  const deployment = builtIn('apps/v1', 'Deployment');
  const pod = (spec: object, more: object = {}) => ({ spec: { ...more, template: { spec } } });
  const podOf = ({ content }: Story) =>
    (content as { spec: { template: { spec: Record<string, unknown> } } }).spec.template.spec;
  beforeEach(() => {
    story = new Story(deployment);
  });

  test('elements are told apart by their keys, defaulted ones too', async () => {
    const ports = [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP' }];
    await story.apply('alpha', pod({ containers: [{ name: 'c', image: 'i', ports }] }));
    expect(JSON.stringify(story.entries[0]?.fieldsV1)).toBe(
      JSON.stringify({
        'f:spec': {
          'f:template': {
            'f:spec': {
              'f:containers': {
                'k:{"name":"c"}': {
                  '.': {},
                  'f:image': {},
                  'f:name': {},
                  'f:ports': {
                    'k:{"containerPort":53,"protocol":"UDP"}': { '.': {}, 'f:containerPort': {}, 'f:protocol': {} },
                    'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} },
                  },
                },
              },
            },
          },
        },
      }),
    );
  });

  test('two managers share an element, and each takes only its own fields away', async () => {
    await story.apply('alpha', pod({ containers: [{ name: 'c', image: 'i' }] }));
    await story.apply('beta', pod({ containers: [{ name: 'c', env: [{ name: 'A', value: '1' }] }] }));
    expect(await story.conflicts('beta', pod({ containers: [{ name: 'c', image: 'j' }] }))).toEqual([
      ['.spec.template.spec.containers[name="c"].image', conflict('alpha')],
    ]);
    await story.apply('alpha', pod({ containers: [] }));
    expect(podOf(story)['containers']).toEqual([{ name: 'c', env: [{ name: 'A', value: '1' }], resources: {} }]);
    await story.apply('beta', pod({ containers: [] }));
    expect(podOf(story)['containers']).toBeUndefined();
  });

  test.each<readonly [live: string[], applied: string[], merged: string[]]>([
    [
      ['b', 'a'],
      ['c', 'a'],
      ['b', 'c', 'a'],
    ],
    [['c'], ['side', 'c'], ['side', 'c']],
    [
      ['a', 'b', 'c'],
      ['c', 'n', 'a'],
      ['b', 'c', 'n', 'a'],
    ],
    [
      ['x', 'a', 'y', 'b', 'z'],
      ['b', 'n', 'a', 'm'],
      ['x', 'y', 'b', 'z', 'n', 'a', 'm'],
    ],
    [[], ['a', 'b'], ['a', 'b']],
    [['a', 'b'], [], ['a', 'b']],
  ])('live %j and applied %j make %j', async (live, applied, merged) => {
    story = new Story();
    await story.replace('poster', { metadata: { finalizers: live } });
    await story.apply('alpha', { metadata: { finalizers: applied } });
    expect(story.live?.metadata.finalizers).toEqual(merged);
  });

  test('another order alone is no change', async () => {
    story = new Story();
    await story.replace('poster', { metadata: { finalizers: ['a', 'b', 'c'] } });
    await story.apply('alpha', { metadata: { finalizers: ['c', 'a'] } });
    expect(story.live?.metadata.finalizers).toEqual(['a', 'b', 'c']);
  });

  test('a set is owned value by value, an empty one by nobody', async () => {
    story = new Story();
    await story.apply('alpha', { metadata: { finalizers: ['e.com/b', 'e.com/a'] } });
    await story.apply('beta', { metadata: { finalizers: ['e.com/c', 'e.com/a'] } });
    await story.apply('alpha', { metadata: { finalizers: ['e.com/b'] } });
    expect(story.live?.metadata.finalizers).toEqual(['e.com/b', 'e.com/c', 'e.com/a']);
    await story.apply('beta', { metadata: { finalizers: [] } });
    expect(story.live?.metadata.finalizers).toEqual(['e.com/b']);
    expect(Object.keys(story.owners)).toEqual(['alpha Apply']);
  });

  test('an atomic element has one owner', async () => {
    story = new Story();
    const owner = (uid: string, name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', name, uid });
    await story.apply('alpha', { metadata: { ownerReferences: [owner('u1', 'x')] } });
    expect(story.owners).toEqual({
      'alpha Apply': { 'f:metadata': { 'f:ownerReferences': { 'k:{"uid":"u1"}': {} } } },
    });
    const other = { metadata: { ownerReferences: [owner('u2', 'y'), owner('u1', 'z')] } };
    expect(await story.conflicts('beta', other)).toEqual([['.metadata.ownerReferences[uid="u1"]', conflict('alpha')]]);
  });

  test('atomic lists, maps and structs are owned and replaced whole', async () => {
    await story.apply(
      'alpha',
      pod({ nodeSelector: { x: '1' }, tolerations: [{ key: 'k' }] }, { selector: { matchLabels: { a: 'b' } } }),
    );
    const other = pod(
      { nodeSelector: { y: '2' }, tolerations: [{ key: 'l' }] },
      { selector: { matchLabels: { a: 'c' } } },
    );
    expect((await story.conflicts('beta', other)).map(([field]) => field)).toEqual([
      '.spec.selector',
      '.spec.template.spec.nodeSelector',
      '.spec.template.spec.tolerations',
    ]);
    await story.apply('beta', other, { force: true });
    expect(podOf(story)).toMatchObject({ nodeSelector: { y: '2' }, tolerations: [{ key: 'l' }] });
    expect(podOf(story)['nodeSelector']).toEqual({ y: '2' });
  });
});
