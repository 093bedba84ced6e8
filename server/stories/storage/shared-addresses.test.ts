import { describe, expect, it } from 'vitest';
import { encodeProtobuf } from '../../schema/protobuf/protobuf.ts';
import type { RunningServer } from '../../start.ts';
import { withoutEtcd } from '../../store/etcd/etcd-process.fixture.ts';
import { rangeOf } from '../../store/etcd/ranges.ts';
import { decodeValue } from '../../store/etcd/value-format.ts';
import { type Body, sharedEtcd } from './shared-etcd.fixture.ts';

const shared = sharedEtcd();
const { started, call, put, valueAt, namespaceOf } = shared;

describe.skipIf(withoutEtcd)('servers that share an etcd', () => {
  it('never give one address or node port twice, and give it again when it is free', async () => {
    const [c, d] = [
      await started({ serviceClusterIpRange: '10.9.0.0/27' }),
      await started({ serviceClusterIpRange: '10.9.0.0/27' }),
    ];
    const base = await namespaceOf(c, 'services');
    const spec = { type: 'NodePort', ports: [{ port: 80 }] };
    const make = (server: RunningServer, name: string) =>
      call(server, 'POST', `${base}/services`, { metadata: { name }, spec });
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => make(n % 2 ? c : d, `s${n}`)));
      // What both had picked goes to one of them; whoever found the range full meanwhile asks again.
      for (let n = 40; n < 80; n++) answers.push(await make(n % 2 ? c : d, `s${n}`));
      const made = answers.filter(({ status }) => status === 201).map(({ body }) => body);
      // The first of thirty is that of the Service kubernetes.
      expect(new Set(made.map(({ spec }) => spec.clusterIP)).size).toBe(29);
      expect(new Set(made.map(({ spec }) => spec.ports[0].nodePort)).size).toBe(29);
      expect(made).toHaveLength(29);
      for (const { status, body } of answers) if (status !== 201) expect(body.message).toContain('range is full');
      await Promise.all(
        made.map(({ metadata }, n) => call(n % 2 ? c : d, 'DELETE', `${base}/services/${metadata.name}`)),
      );
    }
    const { kvs = [] } = await shared.client.range(rangeOf('/registry/touchstone/claims/'));
    const ours = kvs.filter(({ value }) => value.toString().startsWith('/services/services/'));
    expect(ours.map(({ key }) => key.toString())).toEqual([]);
  });

  it('give a Service more node ports than etcd compares at once, and none to another one', async () => {
    const options = { serviceNodePortRange: '31000-31899', etcdPrefix: '/many-ports' };
    const [c, d] = [await started(options), await started(options)];
    const base = '/api/v1/namespaces/default/services';
    const claims = async () =>
      ((await shared.client.range(rangeOf('/many-ports/touchstone/claims/ports/'))).kvs ?? []).map(({ key }) =>
        String(key),
      );
    const ports = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `p${n}`, port: 1 + n }));
    const make = (server: RunningServer, name: string, count: number) =>
      call(server, 'POST', base, { metadata: { name }, spec: { type: 'NodePort', ports: ports(count) } });
    const numbers = (answer: { body: Body }) => answer.body.spec.ports.map(({ nodePort }: Body) => nodePort);
    const made = await Promise.all([make(c, 'c', 300), make(d, 'd', 300), make(c, 'few', 1), make(d, 'one', 1)]);
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(made.flatMap(numbers)).size).toBe(602);
    expect(await claims()).toHaveLength(602);
    const [held] = numbers(made[0]);
    const spec = { type: 'NodePort', ports: [{ port: 1, nodePort: held }] };
    expect((await call(d, 'POST', base, { metadata: { name: 'late' }, spec })).status).toBe(422);
    const grown = await call(d, 'PATCH', `${base}/c`, { spec: { ports: ports(450) } });
    expect([grown.status, new Set([grown, ...made.slice(1)].flatMap(numbers)).size]).toEqual([200, 752]);
    const others = Array.from({ length: 900 }, (_, n) => ({ name: `p${n}`, port: 1 + n, nodePort: 31_000 + n }));
    const free = others.filter(({ nodePort }) => ![grown, ...made.slice(1)].flatMap(numbers).includes(nodePort));
    const moved = await call(c, 'PATCH', `${base}/d`, { spec: { ports: free.slice(0, 80) } });
    expect([moved.status, numbers(moved)]).toEqual([200, free.slice(0, 80).map(({ nodePort }) => nodePort)]);
    expect((await call(c, 'PATCH', `${base}/d`, { spec: { type: 'ClusterIP' } })).status).toBe(200);
    for (const name of ['c', 'd', 'few', 'one']) expect((await call(d, 'DELETE', `${base}/${name}`)).status).toBe(200);
    expect(await claims()).toEqual([]);
  });

  it('take an address that is claimed for a Service which is gone', async () => {
    await put('/registry/touchstone/claims/addresses/10.0.0.77', Buffer.from('/services/default/gone'));
    const made = await call(await started(), 'POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'wants' },
      spec: { clusterIP: '10.0.0.77', ports: [{ port: 80 }] },
    });
    expect(made.status).toBe(201);
    expect(String(await valueAt('/registry/touchstone/claims/addresses/10.0.0.77'))).toBe('/services/default/wants');
  });

  it('note addresses and ports in the records that another server keeps of them, and give none that is noted', async () => {
    const options = { serviceClusterIpRange: '10.8.0.0/28', etcdPrefix: '/noted' };
    const record = { kind: 'RangeAllocation', apiVersion: 'v1', metadata: { creationTimestamp: null } };
    const noted = async (name: string) =>
      decodeValue((await valueAt(`/noted/ranges/${name}`)) ?? Buffer.alloc(0))['data'];
    const [c, d] = [await started(options), await started(options)];
    // All but the third and the fifth are somebody else's.
    const others = Buffer.from([0x3f, 0xeb]).toString('base64');
    const addresses = { ...record, range: '10.8.0.0/28', data: others };
    await put('/noted/ranges/serviceips', Buffer.from(JSON.stringify(addresses)));
    await put('/noted/ranges/servicenodeports', encodeProtobuf({ ...record, range: '30000-32767', data: '' }));
    const base = '/api/v1/namespaces/default/services';
    const make = (server: RunningServer, name: string, spec: object) =>
      call(server, 'POST', base, { metadata: { name }, spec: { type: 'NodePort', ports: [{ port: 80 }], ...spec } });
    const mine = { clusterIP: '10.8.0.3', ports: [{ port: 80, nodePort: 30000 }] };
    expect((await make(c, 'mine', mine)).status).toBe(201);
    expect(await noted('serviceips')).toBe(Buffer.from([0x3f, 0xef]).toString('base64'));
    expect(await noted('servicenodeports')).toBe(Buffer.from([1]).toString('base64'));
    expect((await make(d, 'theirs', { clusterIP: '10.8.0.4' })).status).not.toBe(201);
    await call(d, 'DELETE', `${base}/mine`);
    expect([await noted('serviceips'), await noted('servicenodeports')]).toEqual([others, '']);
  });

  it('have the Service kubernetes also where a record says that its address is given, and there is none', async () => {
    const record = { kind: 'RangeAllocation', apiVersion: 'v1', metadata: {}, range: '10.0.0.0/24', data: 'AQ==' };
    await put('/left/ranges/serviceips', Buffer.from(JSON.stringify(record)));
    const both = await Promise.all([started({ etcdPrefix: '/left' }), started({ etcdPrefix: '/left' })]);
    for (const each of both) {
      const { status, body } = await call(each, 'GET', '/api/v1/namespaces/default/services/kubernetes');
      expect([status, body.spec.clusterIP]).toEqual([200, '10.0.0.1']);
    }
    expect(decodeValue((await valueAt('/left/ranges/serviceips')) ?? Buffer.alloc(0))['data']).toBe('AQ==');
  });
});
