import { describe, expect, it } from 'vitest';
import { componentStatus } from './component-status.ts';

const computed = async (currentRevision: () => Promise<number>) =>
  (await componentStatus.computed?.({ store: { currentRevision } })) ?? [];

describe('the components of a control plane', () => {
  it('are the two beside the server and its store, each with what asking it came to', async () => {
    const found = await computed(async () => 1);
    expect(found.map(({ metadata }) => metadata.name)).toEqual(['scheduler', 'controller-manager', 'etcd-0']);
    expect(found[2]).toMatchObject({ conditions: [{ type: 'Healthy', status: 'True', message: '{"health":"true"}' }] });
  });

  it('tell why they are not well', async () => {
    const [, , store] = await computed(() => Promise.reject(new Error('no store')));
    expect(store).toMatchObject({ conditions: [{ type: 'Healthy', status: 'False', message: 'no store' }] });
  });
});
