import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../base/kube-object.ts';
import { deploymentResource, Registry, refusal, resourceOf } from './call.fixture.ts';
import { create } from './create.ts';
import { remove } from './delete.ts';
import { listRequest } from './list-options.ts';
import { patch } from './patch.ts';
import { get } from './read.ts';
import type { PatchType } from './read-patch.ts';
import { replace } from './replace.ts';

const secrets = resourceOf('', 'v1', 'secrets');
const jobs = resourceOf('batch', 'v1', 'jobs');
const services = resourceOf('', 'v1', 'services');
const events = resourceOf('', 'v1', 'events');

let registry: Registry;
beforeEach(async () => {
  registry = await new Registry().begin();
});

const types = {
  merge: 'merge-patch+json',
  strategic: 'strategic-merge-patch+json',
  apply: 'apply-patch+yaml',
} as const;
type Given = Parameters<Registry['call']>[0];
const send = async (type: keyof typeof types, body: object, given: Given, manager = 'm') => {
  registry.now += 1000;
  const options = {
    dryRun: false,
    fieldManager: manager,
    fieldValidation: 'Warn',
    force: false,
    ...given?.options,
  } as const;
  const bytes = Buffer.from(JSON.stringify(body));
  const { object } = await patch(
    registry.call({ ...given, options }),
    `application/${types[type]}` as PatchType,
    bytes,
  );
  return object;
};
const shown = async (given: Given) => (await get(registry.call(given), undefined)).value;
const versionOf = ({ metadata }: KubeObject) => metadata.resourceVersion;
const owners = ({ metadata }: KubeObject) =>
  (metadata.managedFields ?? []).map(({ manager, operation, fieldsV1 }) => [`${manager} ${operation}`, fieldsV1]);

describe('what is sent empty', () => {
  const forced = { dryRun: false, fieldManager: 'm', fieldValidation: 'Warn', force: true } as const;
  const policies = { resource: resourceOf('networking.k8s.io', 'v1', 'networkpolicies'), options: forced };
  const policy = {
    ...{ kind: 'NetworkPolicy', apiVersion: 'networking.k8s.io/v1', metadata: { name: 'one' } },
    spec: { podSelector: {} },
  };

  it.each(['merge', 'strategic', 'apply'] as const)('is a new generation of a policy: %s', async (type) => {
    await create(registry.call(policies), structuredClone(policy));
    const labels = await send(type, { ...policy, metadata: { name: 'one', labels: {} } }, policies);
    expect(labels.metadata.generation).toBe(1);
    const filled = await send(type, { ...policy, spec: { podSelector: {}, policyTypes: [] } }, policies);
    expect(filled).toMatchObject({ metadata: { generation: 1 }, spec: { policyTypes: ['Ingress'] } });
    const object = await send(type, { ...policy, spec: { podSelector: {}, egress: [] } }, policies);
    expect(object).toMatchObject({ metadata: { generation: 2 }, spec: policy.spec });
    expect(object['spec']).not.toHaveProperty('egress');
  });

  it('is written anew by each apply that says it, as far as it is something', async () => {
    const maps = { resource: resourceOf('', 'v1', 'configmaps'), options: forced };
    const map = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'one' } };
    const twice = async (more: object) => {
      const once = await send('apply', { ...map, ...more }, maps);
      return versionOf(await send('apply', { ...map, ...more }, maps)) !== versionOf(once);
    };
    expect(await twice({ metadata: { name: 'one', labels: {} } })).toBe(true);
    expect(await twice({ binaryData: {} })).toBe(true);
    expect(await twice({ data: {} })).toBe(false);
    expect(await twice({})).toBe(false);
  });

  it('changes the parameters of a StorageClass, and the data of what is immutable', async () => {
    const classes = { resource: resourceOf('storage.k8s.io', 'v1', 'storageclasses'), namespace: '' };
    const stored = {
      kind: 'StorageClass',
      apiVersion: 'storage.k8s.io/v1',
      metadata: { name: 'one' },
      provisioner: 'p',
    };
    await create(registry.call(classes), structuredClone(stored));
    const sent = () => replace(registry.call(classes), structuredClone(stored), new Set(['parameters']));
    expect(await refusal(sent)).toMatchObject({ code: 422, causes: ['parameters'] });
    const maps = { resource: resourceOf('', 'v1', 'configmaps') };
    const map = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'one' }, immutable: true };
    await create(registry.call(maps), structuredClone(map));
    expect(await refusal(() => send('merge', { binaryData: {} }, maps))).toMatchObject({ causes: ['binaryData'] });
    expect(await send('merge', { metadata: { labels: {} }, data: {} }, maps)).toMatchObject({ immutable: true });
  });
});

describe('a Secret with an empty value', () => {
  const secret = { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'one' }, data: { a: 'YQ==', c: '' } };
  const at = { resource: secrets };
  const make = (more: object = {}) => create(registry.call(at), structuredClone({ ...secret, ...more }));

  it('is written anew by a strategic patch that changes nothing, and again by a merge patch', async () => {
    const { object } = await make();
    const patched = await send('strategic', {}, at);
    expect(patched['data']).toEqual(secret.data);
    const merged = await send('merge', {}, at);
    expect(new Set([object, patched, merged].map(versionOf)).size).toBe(3);
    expect(versionOf(await send('merge', {}, at))).toBe(versionOf(merged));
  });

  it('gives its empty values to whoever patches it so', async () => {
    await make();
    expect(owners(await send('strategic', { metadata: { labels: { l: 'x' } } }, at))).toContainEqual([
      'm Update',
      { 'f:data': { 'f:c': {} }, 'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } } },
    ]);
  });

  it('cannot be patched so once it is immutable, but can otherwise', async () => {
    await make({ immutable: true });
    const labels = { metadata: { labels: { l: 'x' } } };
    expect(await refusal(() => send('strategic', labels, at))).toMatchObject({ code: 422, causes: ['data'] });
    expect(await send('merge', labels, at)).toMatchObject({ data: secret.data });
  });

  it('is written anew by a second delete that changes nothing, and by no third', async () => {
    await make();
    await remove(registry.call(at), { dryRun: false, propagationPolicy: 'Foreground' });
    const patched = await send('strategic', {}, at);
    const again = async () => (await remove(registry.call(at), { dryRun: false })).object;
    const second = await again();
    expect(versionOf(second)).not.toBe(versionOf(patched));
    expect(versionOf(await again())).toBe(versionOf(second));
  });

  it('has nothing of this where no value is empty', async () => {
    const { object } = await make({ data: { a: 'YQ==' } });
    expect(versionOf(await send('strategic', {}, at))).toBe(versionOf(object));
  });
});

describe('a Job that takes the labels of its pods', () => {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
  const notCreated = { creationTimestamp: null };
  const at = { resource: jobs };
  const make = (labels: object) =>
    create(registry.call(at), {
      kind: 'Job',
      apiVersion: 'batch/v1',
      metadata: { name: 'one' },
      spec: { template: { ...structuredClone(template), metadata: { ...notCreated, ...labels } } },
    });

  it('has them written by the first write after its creation, whatever that is', async () => {
    const { object } = await make({});
    const first = await send('merge', {}, at);
    expect(first.metadata.labels).toEqual(object.metadata.labels);
    expect(versionOf(first)).not.toBe(versionOf(object));
    expect(versionOf(await send('merge', {}, at))).toBe(versionOf(first));
  });

  it('has them at once where its pods have labels of their own', async () => {
    const { object } = await make({ labels: { app: 'a' } });
    expect(versionOf(await send('merge', {}, at))).toBe(versionOf(object));
  });

  it('keeps the finalizer of an earlier delete when it is deleted again without a policy', async () => {
    await make({});
    const call = registry.call(at);
    await remove(call, { dryRun: false, propagationPolicy: 'Foreground' });
    expect((await remove(call, { dryRun: false })).object.metadata.finalizers).toEqual(['foregroundDeletion']);
  });
});

describe('a write to the Scale of a Deployment', () => {
  const at = { resource: deploymentResource };
  const scale = { ...at, subresource: 'scale' };
  const deployment = (spec: object = {}) => ({
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: { name: 'one' },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      ...spec,
    },
  });
  const number = { 'f:spec': { 'f:replicas': {} } };

  it('of the same number tells the number apart from what its manager set', async () => {
    await create(registry.call(at), deployment({ replicas: 2 }));
    await send('merge', { spec: { replicas: 2 } }, scale);
    const after = await shown(at);
    expect(owners(after)[0]).toEqual(['test Update', number]);
    expect(owners(after)).toHaveLength(2);
    await send('merge', {}, at);
    expect(owners(await shown(at))).toHaveLength(1);
  });

  it('conflicts with whoever was there before the first apply', async () => {
    await send('apply', deployment(), at, 'a');
    const body = { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name: 'one' }, spec: { replicas: 3 } };
    expect(await refusal(() => send('apply', body, scale, 'b'))).toMatchObject({
      code: 409,
      causes: ['.spec.replicas'],
    });
    await send('apply', { ...body, spec: { replicas: 1 } }, scale, 'b');
    expect(owners(await shown(at))).toContainEqual(['b Apply', number]);
  });

  it('needs no resourceVersion, nor does it take another', async () => {
    await create(registry.call(at), deployment());
    const sent = { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name: 'one' }, spec: { replicas: 4 } };
    expect((await replace(registry.call(scale), structuredClone(sent))).object['spec']).toEqual({ replicas: 4 });
    const stale = { ...sent, metadata: { name: 'one', resourceVersion: '1' } };
    expect(await refusal(() => replace(registry.call(scale), stale))).toMatchObject({ code: 409 });
  });
});

describe('a write to the status', () => {
  it('of a Deployment takes annotations without a new generation, and no labels', async () => {
    const at = { resource: deploymentResource };
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await create(registry.call(at), {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'one' },
      spec: { selector: { matchLabels: { app: 'a' } }, template },
    });
    const after = await send(
      'merge',
      { metadata: { annotations: { a: '1' }, labels: { l: 'x' } } },
      { ...at, subresource: 'status' },
    );
    expect(after.metadata).toMatchObject({ generation: 1, annotations: { a: '1' } });
    expect(after.metadata).not.toHaveProperty('labels');
    expect(owners(after)).toContainEqual(['m Update', { 'f:metadata': { 'f:annotations': { '.': {}, 'f:a': {} } } }]);
  });

  it('of a Service that is not there makes one without addresses', async () => {
    const sent = { kind: 'Service', apiVersion: 'v1', metadata: { name: 'one' }, spec: { ports: [{ port: 80 }] } };
    const call = registry.call({ resource: services, subresource: 'status' });
    const { code, object } = await replace(call, sent as KubeObject);
    expect(code).toBe(201);
    expect(object['spec']).not.toHaveProperty('clusterIP');
  });
});

describe('an Event, which owns nothing', () => {
  const at = { resource: events };
  const make = (finalizers: string[]) =>
    create(registry.call(at), {
      kind: 'Event',
      apiVersion: 'v1',
      metadata: { name: 'one', finalizers },
      involvedObject: { namespace: registry.call(at).namespace },
    });

  it.each(['Foreground', 'Orphan', undefined] as const)('is held back by no policy: %s', async (propagationPolicy) => {
    await make(['orphan', 'a.b/c']);
    const options = { dryRun: false, ...(propagationPolicy && { propagationPolicy }) };
    const { gone, object } = await remove(registry.call(at), options);
    expect(gone).toBe(false);
    expect(object.metadata.finalizers).toEqual(['a.b/c']);
  });
});

describe('what an apply leaves out', () => {
  it('takes nothing of metadata that nobody owns: the finalizer of a pending deletion stays', async () => {
    const config = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'one' } };
    await send('apply', { ...config, metadata: { name: 'one', labels: { m: 'z' } } }, {});
    await remove(registry.call(), { dryRun: false, propagationPolicy: 'Foreground' });
    const after = await send('apply', config, {});
    expect(after.metadata).toMatchObject({ finalizers: ['foregroundDeletion'] });
    expect(after.metadata).not.toHaveProperty('labels');
    expect(await shown({})).toMatchObject({ metadata: { deletionTimestamp: expect.any(String) } });
  });
});

describe('an object that says which one it is', () => {
  it.each([true, false])('is another one where there is none, with a version or without: %s', async (versioned) => {
    const metadata = { name: 'none', uid: 'x', ...(versioned && { resourceVersion: '1' }) };
    const sent = { kind: 'ConfigMap', apiVersion: 'v1', metadata };
    expect(await refusal(() => replace(registry.call({ name: 'none' }), sent))).toMatchObject({ code: 409 });
  });
});

describe('a resourceVersion in a new object', () => {
  const sent = (resourceVersion: string) => ({
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'one', resourceVersion },
  });
  const options = { dryRun: true, fieldManager: '', fieldValidation: 'Warn', force: false } as const;

  it.each(['7', '0', 'text'])('is echoed by a dry run: %s', async (version) => {
    const { object } = await create(registry.call({ options }), sent(version));
    expect(object.metadata.resourceVersion).toBe(version);
  });

  it.each(['0', 'text'])('counts for nothing unless it is a number: %s', async (version) => {
    const { object } = await create(registry.call(), sent(version));
    expect(object.metadata.resourceVersion).toMatch(/^\d+$/);
  });
});

describe('a number with a fraction or an exponent where whole ones belong', () => {
  const given = { resource: resourceOf('coordination.k8s.io', 'v1', 'leases') };
  const sent = (type: PatchType, number: string) => {
    const operation = `[{"op":"add","path":"/spec/leaseTransitions","value":${number}}]`;
    const body = type === 'application/json-patch+json' ? operation : `{"spec":{"leaseTransitions":${number}}}`;
    return refusal(() => patch(registry.call(given), type, Buffer.from(body)));
  };

  it.each([
    ['1.5', 'number 1.5'],
    ['-2.25', 'number -2.25'],
    ['1.0', 'number with a fraction or an exponent'],
    ['1e2', 'number with a fraction or an exponent'],
  ])('is told as it is: %s', async (number, told) => {
    const spec = { holderIdentity: 'me' };
    await create(registry.call(given), {
      ...{ kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', metadata: { name: 'one' } },
      spec,
    });
    for (const type of ['application/merge-patch+json', 'application/json-patch+json'] as const) {
      const { code, message } = await sent(type, number);
      expect([code, message]).toEqual([422, expect.stringContaining(`cannot unmarshal ${told} into`)]);
    }
  });
});

describe('a list of any state', () => {
  it.each([
    [{ resourceVersion: '0', limit: 1 }, 0],
    [{ resourceVersion: '5', limit: 1 }, 1],
    [{ limit: 1 }, 1],
  ])('comes whole: %j', (parameters, limit) => {
    expect(listRequest(secrets, parameters).limit).toBe(limit);
  });
});
