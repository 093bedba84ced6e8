import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../base/kube-object.ts';
import { StatusError } from '../../../base/status-error.ts';
import type { Destination } from '../../destination.ts';
import type { DisruptionBudget } from '../../policy/disruption-budget-shape.ts';
import type { Operation, OperationInput } from '../../strategy.ts';
import { nodeProxy, podExec, podLog, podPortForward, podProxy } from '../connections.ts';
import { serviceProxy } from '../service/proxy.ts';
import { binding, bindPod } from './binding.ts';
import { evictPod } from './eviction.ts';
import type { Pod } from './shape.ts';

const pod = (fields: Partial<Pod> = {}): Pod => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'p', namespace: 'n', uid: 'u', labels: { app: 'web' } },
  spec: { containers: [{ name: 'c' }] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  ...fields,
});

const budget = (status: DisruptionBudget['status'], fields: Partial<DisruptionBudget> = {}): DisruptionBudget => ({
  kind: 'PodDisruptionBudget',
  apiVersion: 'policy/v1',
  metadata: { name: 'b', namespace: 'n', generation: 1 },
  spec: { selector: { matchLabels: { app: 'web' } } },
  status: { observedGeneration: 1, ...status },
  ...fields,
});

/** The little of a server that operations see. */
function world(objects: readonly KubeObject[], dryRun = false) {
  const all = new Map(objects.map((object) => [`${object.kind}/${object.metadata.name}`, object]));
  const kinds: Record<string, string> = {
    pods: 'Pod',
    nodes: 'Node',
    services: 'Service',
    endpoints: 'Endpoints',
    poddisruptionbudgets: 'PodDisruptionBudget',
  };
  const removed: object[] = [];
  const change = async (key: string, next: (object: never) => unknown) => {
    const object = await next(structuredClone(all.get(key)) as never);
    all.set(key, object as KubeObject);
    return object;
  };
  const run = (
    operation: Operation,
    body?: object,
    query: Record<string, string> = {},
    name = 'p',
    lacksSlash = false,
  ) =>
    operation({
      body,
      namespace: 'n',
      name,
      context: {
        dryRun,
        clock: { now: () => 0 },
        lookup: {
          get: async (_group: string, resource: string, _namespace: string, wanted: string) =>
            all.get(`${kinds[resource]}/${wanted}`),
          list: async (_group: string, resource: string) =>
            [...all.values()].filter(({ kind }) => kind === kinds[resource]),
        },
      },
      lacksSlash,
      beyond: '/there?x=1',
      query: (key: string) => query[key],
      queryAll: (key: string) => [query[key] ?? []].flat(),
      update: (next: (object: never) => unknown) => change('Pod/p', next),
      updateOther: (at: { resource: string; name: string }, next: (object: never) => unknown) =>
        change(`${kinds[at.resource]}/${at.name}`, next),
      remove: async (options: object) => void removed.push(options),
    } as unknown as OperationInput);
  return { run, removed, get: <T extends KubeObject>(key: string) => all.get(key) as T };
}

const refusal = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StatusError)) throw new Error(`no refusal: ${String(error)}`);
  return error.status;
};

const target = { kind: 'Node', name: 'node-1' };

describe('a binding', () => {
  test('gives the pod its node and says so', async () => {
    const { run, get } = world([pod()]);
    const result = await run(bindPod, { metadata: { name: 'p', annotations: { a: 'b' } }, target });
    expect(result).toMatchObject({ code: 201, object: { kind: 'Status', status: 'Success' } });
    const bound = get<Pod>('Pod/p');
    expect(bound.spec?.nodeName).toBe('node-1');
    expect(bound.metadata.annotations).toEqual({ a: 'b' });
    expect(bound.status?.conditions?.at(-1)).toMatchObject({ type: 'PodScheduled', status: 'True' });
  });

  test('says so where it was said before that there is none', async () => {
    const unscheduled = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'full' };
    const { run, get } = world([pod({ status: { conditions: [unscheduled, { type: 'Gate', status: 'True' }] } })]);
    await run(bindPod, { metadata: { name: 'p' }, target });
    expect(get<Pod>('Pod/p').status?.conditions).toEqual([
      { type: 'PodScheduled', status: 'True', lastTransitionTime: '1970-01-01T00:00:00Z' },
      { type: 'Gate', status: 'True' },
    ]);
  });

  test('may be sent to the namespace, by the name of the pod', async () => {
    const { run, get } = world([pod()]);
    await run(binding.operations?.['']?.run as Operation, { metadata: { name: 'p' }, target }, {}, '');
    expect(get<Pod>('Pod/p').spec?.nodeName).toBe('node-1');
  });

  test.each<[string, Pod, object, number]>([
    ['of another name', pod(), { metadata: { name: 'q' }, target }, 400],
    ['without name', pod(), { metadata: {}, target }, 400],
    ['to nowhere', pod(), { metadata: { name: 'p' } }, 422],
    ['to no node', pod(), { metadata: { name: 'p' }, target: { kind: 'Shelf', name: 'x' } }, 422],
    ['of a bound pod', pod({ spec: { nodeName: 'm' } }), { metadata: { name: 'p' }, target }, 409],
    ['of another uid', pod(), { metadata: { name: 'p', uid: 'v' }, target }, 409],
    [
      'of a pod that goes',
      pod({ metadata: { name: 'p', deletionTimestamp: 'now' } }),
      { metadata: { name: 'p' }, target },
      409,
    ],
  ])('%s is refused', async (_title, object, body, code) => {
    expect(await refusal(world([object]).run(bindPod, body))).toMatchObject({ code });
  });
});

describe('an eviction', () => {
  const body = { metadata: { name: 'p' } };

  test('deletes the pod with the options inside', async () => {
    const { run, removed } = world([pod()]);
    expect(await run(evictPod, { ...body, deleteOptions: { gracePeriodSeconds: 5 } })).toMatchObject({ code: 201 });
    expect(removed).toEqual([{ gracePeriodSeconds: 5 }]);
  });

  test('spends what the budget allows, and tells when it was the last', async () => {
    const { run, removed, get } = world([pod(), budget({ disruptionsAllowed: 1 })]);
    await run(evictPod, body);
    expect(removed).toHaveLength(1);
    const { status } = get<DisruptionBudget>('PodDisruptionBudget/b');
    expect(status).toMatchObject({ disruptionsAllowed: 0, disruptedPods: { p: '1970-01-01T00:00:00Z' } });
    expect(status?.conditions).toMatchObject([{ type: 'DisruptionAllowed', status: 'False' }]);
  });

  test('in a dry run asks but spends nothing', async () => {
    const { run, removed, get } = world([pod(), budget({ disruptionsAllowed: 1 })]);
    await run(evictPod, { ...body, deleteOptions: { dryRun: ['All'] } });
    expect(removed).toEqual([{ dryRun: ['All'] }]);
    expect(get<DisruptionBudget>('PodDisruptionBudget/b').status?.disruptionsAllowed).toBe(1);
  });

  test('is refused when nothing is left, with the budget as cause', async () => {
    const { run, removed } = world([pod(), budget({ disruptionsAllowed: 0 })]);
    const status = await refusal(run(evictPod, body));
    expect(status).toMatchObject({
      code: 429,
      reason: 'TooManyRequests',
      details: { causes: [{ reason: 'DisruptionBudget' }] },
    });
    expect(status.details?.retryAfterSeconds).toBeUndefined();
    expect(removed).toEqual([]);
  });

  test.each<[string, Pod, DisruptionBudget[], number | undefined]>([
    ['of a budget nobody has looked at', pod(), [budget({ observedGeneration: 0, disruptionsAllowed: 3 })], 429],
    ['of a budget out of order', pod(), [budget({ disruptionsAllowed: -1 })], 403],
    [
      'under two budgets',
      pod(),
      [budget({ disruptionsAllowed: 1 }), { ...budget({ disruptionsAllowed: 1 }), metadata: { name: 'b2' } }],
      500,
    ],
    ['of a pod that waits', pod({ status: { phase: 'Pending' } }), [budget({ disruptionsAllowed: 0 })], undefined],
    [
      'of a pod that other budgets care for',
      pod({ metadata: { name: 'p', labels: {} } }),
      [budget({ disruptionsAllowed: 0 })],
      undefined,
    ],
    [
      'of a sick pod while enough are well',
      pod({ status: { phase: 'Running' } }),
      [budget({ disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 })],
      undefined,
    ],
  ])('%s', async (_title, object, budgets, code) => {
    const { run, removed } = world([object, ...budgets]);
    const outcome = run(evictPod, body);
    if (code) expect(await refusal(outcome)).toMatchObject({ code });
    else await outcome;
    expect(removed).toHaveLength(code ? 0 : 1);
  });

  test('names the pod of its path, which must be there', async () => {
    expect(await refusal(world([pod()]).run(evictPod, { metadata: { name: 'q' } }))).toMatchObject({ code: 400 });
    expect(await refusal(world([]).run(evictPod, body))).toMatchObject({ code: 404 });
  });
});

describe('a connection', () => {
  const bound = pod({ spec: { nodeName: 'm', containers: [{ name: 'c' }] } });
  const two = pod({ spec: { containers: [{ name: 'c' }, { name: 'd' }] } });
  const node: KubeObject = { kind: 'Node', apiVersion: 'v1', metadata: { name: 'm' } };
  const agent: KubeObject = {
    ...node,
    status: {
      addresses: [{ type: 'InternalIP', address: '10.0.0.9' }],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    },
  };
  const tunnelled = {
    ...agent,
    metadata: { name: 'm', annotations: { 'touchstone.example/reach-pods': 'through-agent' } },
  };
  const service: KubeObject = {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name: 's' },
    spec: { ports: [{ name: 'web', port: 80 }] },
  };
  const endpoints = (addresses = [{ ip: '10.0.0.1' }]): KubeObject => ({
    kind: 'Endpoints',
    apiVersion: 'v1',
    metadata: { name: 's' },
    subsets: [{ addresses, ports: [{ name: 'web', port: 8080 }] }],
  });
  const addressed = { ...node, status: { addresses: [{ type: 'InternalIP', address: '10.0.0.9' }] } };

  test('the log of a pod without node is empty', async () => {
    expect(await world([pod()]).run(podLog)).toEqual({ code: 204, text: '' });
  });

  test.each<[string, Operation, KubeObject[], Record<string, string>, string, number]>([
    ['log of a missing pod', podLog, [], {}, 'p', 404],
    ['log of an unknown container', podLog, [pod()], { container: 'x' }, 'p', 400],
    ['log of one of two containers', podLog, [two], {}, 'p', 400],
    ['log on a missing node', podLog, [bound], {}, 'p', 404],
    ['log of fewer than no lines', podLog, [], { tailLines: '-1' }, 'p', 422],
    ['log of no bytes', podLog, [], { limitBytes: '0' }, 'p', 422],
    ['log since now', podLog, [], { sinceSeconds: '0' }, 'p', 422],
    ['log since two times', podLog, [], { sinceSeconds: '1', sinceTime: '2024-01-01T00:00:00Z' }, 'p', 422],
    ['log of lines that are no number', podLog, [], { tailLines: '1.5' }, 'p', 400],
    ['log of lines that nobody gave', podLog, [], { tailLines: '' }, 'p', 400],
    ['log of more lines than can be counted', podLog, [], { tailLines: '9223372036854775808' }, 'p', 400],
    ['log since a time that is none', podLog, [], { sinceTime: '2024-13-01T00:00:00Z' }, 'p', 400],
    ['log on a node', podLog, [bound, node], {}, 'p', 500],
    ['exec without node', podExec, [pod()], {}, 'p', 400],
    ['exec on a node', podExec, [bound, node], {}, 'p', 500],
    ['port forward without node', podPortForward, [pod()], {}, 'p', 400],
    ['proxy to a pod without address', podProxy, [pod()], {}, 'p', 400],
    ['proxy to a missing node', nodeProxy, [], {}, 'm', 404],
    ['proxy to a node without agent', nodeProxy, [node], {}, 'm', 500],
    ['proxy to a port that is none', podProxy, [pod({ status: { podIP: '10.0.0.1' } })], {}, 'p:web', 400],
    ['proxy to a missing service', serviceProxy, [], {}, 's', 404],
    ['proxy to a service without endpoints', serviceProxy, [service], {}, 's', 404],
    ['proxy to a service whose endpoints are not ready', serviceProxy, [service, endpoints([])], {}, 's', 503],
    ['proxy to a port that no endpoint has', serviceProxy, [service, endpoints()], {}, 'https:s:nope', 503],
  ])('%s', async (_title, operation, objects, query, name, code) => {
    expect(await refusal(world(objects).run(operation, undefined, query, name))).toMatchObject({ code });
  });

  test('every fault of what is asked of a log is told', async () => {
    const status = await refusal(world([]).run(podLog, undefined, { sinceSeconds: '-1', tailLines: '-2' }));
    expect(status).toMatchObject({
      details: {
        kind: 'PodLogOptions',
        name: 'p',
        causes: [
          { field: 'tailLines', message: 'Invalid value: -2: must be greater than or equal to 0' },
          { field: 'sinceSeconds', message: 'Invalid value: -1: must be greater than 0' },
        ],
      },
    });
  });

  test('that two beginnings are too many hides that one is none', async () => {
    const query = { sinceSeconds: '0', sinceTime: '2024-01-01T00:00:00Z' };
    const status = await refusal(world([]).run(podLog, undefined, query));
    expect(status).toMatchObject({ details: { causes: [{ reason: 'FieldValueForbidden' }] } });
  });

  test.each<[string, Operation, KubeObject[], string]>([
    ['a pod', podProxy, [pod({ status: { podIP: '10.0.0.1' } })], 'p'],
    ['a node', nodeProxy, [addressed], 'm'],
    ['the one port of a service', serviceProxy, [service, endpoints()], 's'],
    ['a port by its number', serviceProxy, [service, endpoints()], 's:80'],
    ['a port by its name', serviceProxy, [service, endpoints()], 'http:s:web'],
  ])('proxied to %s needs a slash behind the path', async (_title, operation, objects, name) => {
    expect(await world(objects).run(operation, undefined, {}, name, true)).toEqual({ code: 301, addSlash: true });
  });

  const placed = pod({ spec: { nodeName: 'm', containers: [{ name: 'c' }] }, status: { podIP: '10.0.0.1' } });
  const nodeOfSubset = {
    ...endpoints(),
    subsets: [{ addresses: [{ ip: '10.0.0.1', nodeName: 'm' }], ports: [{ name: 'web', port: 8080 }] }],
  };

  test.each<[string, Operation, KubeObject[], string, Record<string, string>, object]>([
    [
      'a log',
      podLog,
      [bound, agent],
      'p',
      { follow: 'yes', previous: 'False', tailLines: '0', limitBytes: '+7', sinceTime: '', other: 'x' },
      { node: agent, path: '/containerLogs/n/p/c?follow=true&tailLines=0&limitBytes=7' },
    ],
    [
      'a command',
      podExec,
      [bound, agent],
      'p',
      { command: 'ls /', stdin: 'true', stdout: '1', stderr: 'false', tty: '' },
      { node: agent, path: '/exec/n/p/c?input=1&output=1&command=ls+%2F' },
    ],
    ['forwarded ports', podPortForward, [bound, agent], 'p', {}, { node: agent, path: '/portForward/n/p' }],
    ['a node', nodeProxy, [agent], 'm', {}, { node: agent, path: '/there?x=1' }],
    [
      'a pod',
      podProxy,
      [placed, agent],
      'https:p:8443',
      {},
      { address: { host: '10.0.0.1', port: 8443, scheme: 'https' }, path: '/there?x=1' },
    ],
    [
      'a pod of a node that is a proxy to it',
      podProxy,
      [placed, tunnelled],
      'p',
      {},
      { node: tunnelled, address: { host: '10.0.0.1', port: 80, scheme: 'http' } },
    ],
    [
      'a service',
      serviceProxy,
      [service, nodeOfSubset, tunnelled],
      's:web',
      {},
      { node: tunnelled, address: { host: '10.0.0.1', port: 8080, scheme: 'http' } },
    ],
  ])('is passed on to %s', async (_title, operation, objects, name, query, destination) => {
    expect(await world(objects).run(operation, undefined, query, name)).toMatchObject({ forward: destination });
  });

  test.each([
    [500, 'it broke', 500, 'Internal error occurred: it broke'],
    [400, 'it waits', 400, 'it waits'],
    [404, 'gone', 404, 'the server could not find the requested resource ( pods/log p)'],
    [418, 'tea', 418, 'an error on the server ("tea") has prevented the request from succeeding'],
  ])('a log that is refused with %i %s', async (code, text, status, message) => {
    const answer = (await world([bound, agent]).run(podLog)) as { forward: Destination };
    const error = answer.forward.refused?.(code, text) as StatusError;
    expect(error.status).toMatchObject({ code: status, message });
  });

  test('proxied to a node without address leads nowhere, slash or not', async () => {
    expect(await refusal(world([node]).run(nodeProxy, undefined, {}, 'm', true))).toMatchObject({ code: 500 });
  });
});
