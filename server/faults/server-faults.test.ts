import { Agent, request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allow, configurations, install, type Policy, selfSigned, serve } from '../../webhooks/index.ts';
import type { Answer, TestServer } from '../stories/test-server.fixture.ts';
import type { Fault } from './fault.ts';
import { called, type FaultLab, maps, startFaultLab } from './fault-lab.fixture.ts';

let lab: FaultLab;
let server: TestServer;

beforeEach(async () => {
  lab = await startFaultLab();
  server = lab.server;
});
afterEach(() => lab.stop());

const accounts = '/api/v1/namespaces/default/serviceaccounts';

/** A token of a service account. */
async function tokenOf(account: string): Promise<Answer['body']> {
  const { body } = await server.post(`${accounts}/${account}/token`, { spec: { expirationSeconds: 600 } });
  return body.status;
}

/** 401: nobody; 403: the account, which may nothing. */
const askWith = async (token: string) =>
  (await server.get(maps, { authorization: `Bearer ${token}`, 'user-agent': 'robot' })).status;

describe('reads that are stale', () => {
  const counter = `${maps}/counter`;
  /** Adds one to what it reads. @param careful goes by the version that it has read */
  async function increment(careful: boolean): Promise<number> {
    const { body } = await server.get(counter);
    const data = { n: String(Number(body.data.n) + 1) };
    const version = careful ? { resourceVersion: body.metadata.resourceVersion } : {};
    return (await server.put(counter, { data, metadata: { name: 'counter', ...version } })).status;
  }

  it('who overwrites by them loses what others wrote, who names the version that was read is told', async () => {
    await server.post(maps, { ...called('counter'), data: { n: '0' } });
    const stale: Fault = { fault: 'staleReads', match: { verb: 'get', resource: 'configmaps' } };
    await server.faults.inject(stale);
    await increment(false);
    expect((await server.get(counter)).body.data.n).toBe('1');
    await server.faults.inject(stale);
    await server.put(counter, { ...called('counter'), data: { n: '7' } });
    expect(await increment(false), 'the careless one').toBe(200);
    expect((await server.get(counter)).body.data.n, 'seven is lost').toBe('2');
    await server.faults.inject(stale);
    await server.put(counter, { ...called('counter'), data: { n: '7' } });
    expect(await increment(true), 'the careful one').toBe(409);
    expect(await increment(true)).toBe(200);
    expect((await server.get(counter)).body.data.n).toBe('8');
  });

  it('show lists and what is gone as they were, and tell the version', async () => {
    await server.post(maps, called('old'));
    await server.faults.inject({ fault: 'staleReads', times: 3, match: { resource: 'configmaps' } });
    const before = (await server.get('/api/v1/namespaces/default/secrets')).body.metadata.resourceVersion;
    await server.post(maps, called('new'));
    await server.delete(`${maps}/old`);
    const { body } = await server.get(maps);
    expect(body.items).toMatchObject([called('old')]);
    expect(body.metadata.resourceVersion).toBe(before);
    expect((await server.get(`${maps}/old`)).status).toBe(200);
    expect((await server.get(`${maps}/new`)).status).toBe(404);
    expect((await server.get(maps)).body.items).toMatchObject([called('new')]);
  });
});

describe('tokens that are over', () => {
  it('who keeps a token is refused from then on, who asks for another goes on', async () => {
    await server.post(accounts, called('robot'));
    const [{ token }, other] = [await tokenOf('robot'), await tokenOf('robot')];
    expect([await askWith(token), await askWith(other.token)]).toEqual([403, 403]);
    await server.faults.inject({ fault: 'expireTokens', match: { userAgent: 'robot' } });
    expect([await askWith(token), await askWith(other.token)], 'the careless one').toEqual([401, 401]);
    expect((await server.get(maps)).status, 'not meant').toBe(200);
    expect(await askWith((await tokenOf('robot')).token), 'the careful one').toBe(403);
    server.faults.clear();
    expect(await askWith(token)).toBe(403);
  });
});

describe('a wrong time of day', () => {
  it('who compares the server’s times with its own takes a new token for an old one, who counts from now does not', async () => {
    await server.post(accounts, called('robot'));
    await server.faults.inject({ fault: 'skewClock', by: '-2h' });
    const received = Date.now();
    const { token, expirationTimestamp } = await tokenOf('robot');
    expect(Date.parse(expirationTimestamp), 'the careless one throws it away').toBeLessThan(Date.now());
    expect(received + 600_000, 'the careful one uses it').toBeGreaterThan(Date.now());
    expect(await askWith(token)).toBe(403);
    const { headers } = await server.get(maps);
    expect(Math.abs(Date.parse(String(headers['date'])) - (Date.now() - 7_200_000)), 'and Date says it').toBeLessThan(
      5000,
    );
    server.faults.clear();
    expect(server.clock.skew).toBe(0);
  });

  it('can be advanced by a fault as well', async () => {
    await server.faults.inject({ fault: 'advanceClock', by: '1h' });
    expect(server.clock.advanced).toBe(3_600_000);
  });
});

describe('a certificate that is over', () => {
  /** Over a connection of its own. */
  async function ask(): Promise<number | string> {
    const dispatcher = new Agent({ connect: { ca: server.certificateAuthority } });
    try {
      const { statusCode, body } = await request(`${server.url}/version`, { dispatcher });
      await body.dump();
      return statusCode;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? String(error);
    } finally {
      await dispatcher.close();
    }
  }

  it('who gives up at once never sees the new one, who tries again does', async () => {
    await server.faults.inject({ fault: 'expireCertificate' });
    expect(await ask(), 'the careless one').toBe('CERT_HAS_EXPIRED');
    await server.faults.play({ steps: [{ after: '200ms', fault: 'renewCertificate' }] });
    let answer = await ask();
    for (let tries = 0; answer !== 200 && tries < 5; tries++) answer = await ask();
    expect(answer, 'the careful one').toBe(200);
  });

  it('is good again after all is taken back', async () => {
    await server.faults.inject({ fault: 'expireCertificate' });
    server.faults.clear();
    expect(await ask()).toBe(200);
  });
});

describe('webhooks that are out', () => {
  const policy: Policy = {
    name: 'watchful',
    type: 'validating',
    about: 'allows all',
    failurePolicy: 'Fail',
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
    decide: () => allow(),
  };

  it('who creates once is left without, who tries again succeeds', async () => {
    const keyPair = await selfSigned(['127.0.0.1']);
    const report = (error: unknown) => {
      throw error;
    };
    const webhooks = await serve({ policies: [policy], address: '127.0.0.1', port: 0, keyPair, report });
    try {
      const reach = { at: `https://127.0.0.1:${webhooks.port}`, authority: keyPair.cert };
      await install({ text: server.kubeconfig }, configurations([policy], reach));
      expect((await server.post(maps, called('before'))).status).toBe(201);
      await server.faults.inject({ fault: 'webhookOutage', webhook: 'somebody-else.example.com', times: 0 });
      expect((await server.post(maps, called('unmet'))).status).toBe(201);
      await server.faults.inject({ fault: 'webhookOutage', times: 2 });
      const { status, body } = await server.post(maps, called('once'));
      expect([status, body.message], 'the careless one').toEqual([
        500,
        expect.stringContaining('failed calling webhook'),
      ]);
      let answer = 0;
      for (let tries = 0; answer !== 201 && tries < 3; tries++)
        answer = (await server.post(maps, called('often'))).status;
      expect(answer, 'the careful one').toBe(201);
      expect(server.faults.log).toMatchObject([
        { fault: 'webhookOutage', request: expect.stringContaining('watchful') },
        { fault: 'webhookOutage' },
      ]);
    } finally {
      await webhooks.stop();
    }
  });
});
