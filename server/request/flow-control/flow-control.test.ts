import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../fixtures/temporary-folder.fixture.ts';
import type { ServerOptions } from '../../options/options.ts';
import { configMap, configMaps, readAll, startTestServer, type TestServer } from '../../stories/test-server.fixture.ts';

const folder = temporaryFolder();
const tokenAuthFile = join(folder, 'tokens.csv');
writeFileSync(tokenAuthFile, 'bobtoken,bob,2\ncaroltoken,carol,3\n');

const flow = '/apis/flowcontrol.apiserver.k8s.io/v1beta2';
const as = (name: string) => ({ headers: { authorization: `Bearer ${name}token` } });
const start = (options: Partial<ServerOptions>) =>
  startTestServer({ tokenAuthFile, authorizationMode: ['AlwaysAllow'], ...options });

/** Begins a request and withholds the last of its body: it is in progress until `finish`. */
async function begin(server: TestServer, name: string, user: string) {
  const body = JSON.stringify(configMap(name));
  const socket = await server.open();
  const answered = readAll(socket);
  const head = `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user}token\r\nConnection: close`;
  socket.write(
    `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`,
  );
  return {
    finish: () => socket.write('}'),
    answered: answered.then((text) => Number(text.split(' ')[1])),
    leave: () => socket.destroy(),
  };
}

describe('priority and fairness', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await start({});
  });
  afterAll(() => server.stop());

  const schema = (name: string, level: string, user: string, precedence: number) =>
    server.post(`${flow}/flowschemas`, {
      metadata: { name },
      spec: {
        priorityLevelConfiguration: { name: level },
        matchingPrecedence: precedence,
        distinguisherMethod: { type: 'ByUser' },
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: user } }],
            resourceRules: [
              { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true },
            ],
            nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
          },
        ],
      },
    });
  const level = (name: string, limitResponse: object) =>
    server.post(`${flow}/prioritylevelconfigurations`, {
      metadata: { name },
      // So small a part of all is rounded up to one seat.
      spec: { type: 'Limited', limited: { assuredConcurrencyShares: 1, limitResponse } },
    });
  const metric = async (name: string, labels: string) =>
    (await server.get('/metrics')).text
      .split('\n')
      .find((line) => line.startsWith(`apiserver_flowcontrol_${name}{`) && line.includes(labels));

  it('tells with each answer who let it in', async () => {
    for (const [path, name, of] of [
      ['/livez', 'probes', 'exempt'],
      ['/api/v1/pods', 'global-default', 'global-default'],
      ['/api/v1/pods?watch=1&timeoutSeconds=1', 'global-default', 'global-default'],
      ['/nowhere', 'global-default', 'global-default'],
    ] as const) {
      const { headers } = await server.call('GET', path, as('bob'));
      const uid = async (kind: string, each: string) => (await server.get(`${flow}/${kind}/${each}`)).body.metadata.uid;
      expect(headers['x-kubernetes-pf-flowschema-uid']).toBe(await uid('flowschemas', name));
      expect(headers['x-kubernetes-pf-prioritylevel-uid']).toBe(await uid('prioritylevelconfigurations', of));
    }
  });

  it('turns away whom a full level rejects, and nobody else', async () => {
    await server.put(`${flow}/prioritylevelconfigurations/workload-low`, {
      ...(await server.get(`${flow}/prioritylevelconfigurations/workload-low`)).body,
      spec: { type: 'Limited', limited: { assuredConcurrencyShares: 10_000, limitResponse: { type: 'Reject' } } },
    });
    await level('single', { type: 'Reject' });
    await schema('for-bob', 'single', 'bob', 50);
    await server.settle();
    const first = await begin(server, 'held', 'bob');
    await expect.poll(() => metric('request_concurrency_in_use', 'single')).toMatch(/ 1$/);
    const { status, text, headers } = await server.call('GET', configMaps, as('bob'));
    expect([status, text, headers['retry-after']]).toEqual([429, 'Too many requests, please try again later.\n', '1']);
    expect(headers['x-kubernetes-pf-flowschema-uid']).toBeDefined();
    expect((await server.call('GET', configMaps, as('carol'))).status).toBe(200);
    expect(await metric('request_concurrency_limit', 'single')).toMatch(/ 1$/);
    first.finish();
    expect(await first.answered).toBe(201);
    expect((await server.call('GET', configMaps, as('bob'))).status).toBe(200);
    expect(await metric('request_concurrency_in_use', 'single')).toMatch(/ 0$/);
  });

  it('lets those wait whom a full level queues, until their clients go', async () => {
    await level('patient', { type: 'Queue', queuing: { queues: 4, handSize: 2, queueLengthLimit: 2 } });
    await schema('for-carol', 'patient', 'carol', 60);
    await server.settle();
    const first = await begin(server, 'waited-for', 'carol');
    await expect.poll(() => metric('request_concurrency_in_use', 'patient')).toMatch(/ 1$/);
    const gone = await begin(server, 'gone', 'carol');
    await expect.poll(() => metric('current_inqueue_requests', 'for-carol')).toMatch(/ 1$/);
    const next = server.call('GET', configMaps, as('carol'));
    await expect.poll(() => metric('current_inqueue_requests', 'for-carol')).toMatch(/ 2$/);
    gone.leave();
    await expect.poll(() => metric('current_inqueue_requests', 'for-carol')).toMatch(/ 1$/);
    first.finish();
    expect(await first.answered).toBe(201);
    expect((await next).status).toBe(200);
    expect(await metric('rejected_requests_total', 'cancelled')).toMatch(/ 1$/);
  });

  it('is for requests, not for what goes on: a watch gives its seat back', async () => {
    const cut = new AbortController();
    const events = server.watch(`${configMaps}?watch=1`, cut.signal);
    await server.post(configMaps, configMap('watched'));
    await events.next();
    expect(await metric('request_concurrency_in_use', 'single')).toMatch(/ 0$/);
    cut.abort();
  });
});

describe('without priority and fairness', () => {
  it('so many requests are answered at once, reading and writing apart', async () => {
    const server = await start({
      enablePriorityAndFairness: false,
      maxRequestsInflight: 5,
      maxMutatingRequestsInflight: 1,
    });
    const first = await begin(server, 'first', 'bob');
    await expect
      .poll(async () => (await server.call('POST', configMaps, { body: configMap('second'), ...as('bob') })).status)
      .toBe(429);
    expect((await server.call('GET', configMaps, as('bob'))).status).toBe(200);
    // Administrators get in.
    expect((await server.post(configMaps, configMap('third'))).status).toBe(201);
    first.finish();
    expect(await first.answered).toBe(201);
    const { status, headers } = await server.call('POST', configMaps, { body: configMap('fourth'), ...as('bob') });
    expect(status).toBe(201);
    expect(headers).not.toHaveProperty('x-kubernetes-pf-flowschema-uid');
    await server.stop();
  });

  it('the numbers must make sense', async () => {
    await expect(start({ maxRequestsInflight: -1 })).rejects.toThrow('must not be negative');
    await expect(start({ maxRequestsInflight: 0, maxMutatingRequestsInflight: 0 })).rejects.toThrow('both be 0');
  });
});
