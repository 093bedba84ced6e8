import { describe, expect, test } from 'vitest';
import { sample, tryCreate } from '../kind-write.fixture.ts';
import { creations } from '../write-tables.fixture.ts';
import { replicationController } from './replication-controller.ts';

describe('ReplicationController', () => {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  creations(replicationController, [
    ['a template alone', { spec: { template } }, []],
    ['nothing', {}, ['spec.selector Required', 'spec.template Required']],
    [
      'a selector of other pods',
      { spec: { template, selector: { a: 'z' } } },
      ['spec.template.metadata.labels Invalid'],
    ],
    [
      'pods that end',
      { spec: { template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } } },
      ['spec.template.spec.restartPolicy NotSupported'],
    ],
  ]);

  test('selector and labels follow from the template', async () => {
    const { object } = await tryCreate(replicationController, sample(replicationController, { spec: { template } }));
    expect(object).toMatchObject({
      metadata: { labels: { a: 'b' } },
      spec: { replicas: 1, selector: { a: 'b' } },
      status: { replicas: 0 },
    });
  });
});
