import { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesIn, temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import { pemOf } from '../authn/jwt.fixture.ts';
import { type RunningServer, startServer } from '../start.ts';
import { authority, type Issued, issue } from '../x509/certificates.fixture.ts';

/** Attacks on a running server, byte by byte: what the parts' own tests cannot show. */

const folder = temporaryFolder();
const file = filesIn(folder);
const times = { from: Date.now() - 1e6, until: Date.now() + 1e9 };
const auditLog = join(folder, 'audit.log');
let server: RunningServer;
let proxy: Issued;
let alice: Issued;
let stranger: Issued;

beforeAll(async () => {
  const ca = await authority('ca', times);
  const proxyCa = await authority('proxy-ca', times);
  alice = await issue({ name: 'CN=alice', ...times }, ca);
  proxy = await issue({ name: 'CN=front-proxy', ...times }, proxyCa);
  stranger = await issue({ name: 'O=system:masters, CN=stranger', ...times }, await authority('other', times));
  const policy = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'RequestResponse' }] };
  server = await startServer({
    clientCaFile: file('ca.crt', String(ca.certificate)),
    requestheaderClientCaFile: file('proxy-ca.crt', String(proxyCa.certificate)),
    requestheaderAllowedNames: ['front-proxy'],
    requestheaderUsernameHeaders: ['X-Remote-User'],
    requestheaderGroupHeaders: ['X-Remote-Group'],
    requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
    tokenAuthFile: file('tokens.csv', 'roottoken,root,1,system:masters\nbobtoken,bob,2\n'),
    auditPolicyFile: file('policy.yaml', JSON.stringify(policy)),
    auditLogPath: auditLog,
  });
});
afterAll(() => server.stop());

interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends the bytes as they are and reads to the end of the connection. */
function send(bytes: string, client?: Issued): Promise<RawAnswer> {
  const { hostname, port } = new URL(server.url);
  const own = client && { cert: String(client.certificate), key: pemOf(KeyObject.from(client.keys.privateKey)) };
  return new Promise((resolve, reject) => {
    const socket = connect(
      { host: hostname, port: Number(port), ca: server.certificateAuthority, ALPNProtocols: ['http/1.1'], ...own },
      () => socket.write(Buffer.from(bytes, 'latin1')),
    );
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', body = ''] = String(Buffer.concat(chunks)).split('\r\n\r\n', 2);
      resolve({ status: Number(head.split(' ')[1]), head, body });
    });
  });
}

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n');
const namespace = '/api/v1/namespaces/default';
const masters = 'X-Remote-Group: system:masters';

describe('headers of the proxy', () => {
  it('count from the proxy alone', async () => {
    expect((await send(get(namespace, 'X-Remote-User: root', masters), proxy)).status).toBe(200);
    expect((await send(get(namespace, 'X-Remote-User: root', masters))).status).toBe(403);
    expect((await send(get(namespace, 'X-Remote-User: root', masters), alice)).body).toContain('alice');
    expect((await send(get(namespace, 'X-Remote-User: root', masters), stranger)).status).toBe(401);
  });

  it.each([
    ['a second user', 401, ['X-Remote-User: fay', 'X-Remote-User: root', masters]],
    ['a user in underscores', 401, ['X-Remote-User: fay', 'X_Remote_User: root']],
    ['groups in underscores', 401, ['X-Remote-User: fay', 'X_Remote_Group: system:masters']],
    ['a folded line', 400, ['X-Remote-User: fay', ' root', masters]],
    ['a group folded into another header', 400, ['X-Note: a', `\t${masters}`, 'X-Remote-User: fay']],
    ['a space before the colon', 400, ['X-Remote-User: fay', 'X-Remote-Group : system:masters']],
    ['a line end without a return', 400, [`X-Note: a\n${masters}`, 'X-Remote-User: fay']],
    ['a zero byte', 400, ['X-Remote-User: fay\0', masters]],
    ['two lengths of the body', 400, ['X-Remote-User: fay', 'Content-Length: 1', 'Transfer-Encoding: chunked']],
  ])('are refused with %s', async (_, status, headers) => {
    expect((await send(get(namespace, ...headers), proxy)).status).toBe(status);
  });
});

describe('who is not known', () => {
  it.each([
    ['an unknown token', 'Authorization: Bearer nobody'],
    ['a token with something after it', 'Authorization: Bearer roottokenx'],
    ['a part of a token', 'Authorization: Bearer roottoke'],
    [
      'an unsigned token',
      'Authorization: Bearer eyJhbGciOiJub25lIn0.eyJpc3MiOiJodHRwczovL2t1YmVybmV0ZXMuZGVmYXVsdC5zdmMifQ.',
    ],
  ])('gets the same 401 for %s', async (_, header) => {
    for (const path of [namespace, '/healthz', '/nowhere']) {
      const answer = await send(get(path, header));
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body)).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'Unauthorized',
        reason: 'Unauthorized',
        code: 401,
      });
      expect(answer.head).not.toMatch(/www-authenticate/i);
    }
  });

  it('is not made anonymous by a certificate of strangers', async () => {
    expect((await send(get('/healthz'), stranger)).status).toBe(401);
    expect((await send(get('/healthz', 'Authorization: Bearer bobtoken'), stranger)).status).toBe(200);
  });

  it('does not choose between two tokens', async () => {
    const two = ['Authorization: Bearer bobtoken', 'Authorization: Bearer roottoken'];
    expect((await send(get(namespace, ...two))).status).toBe(401);
  });

  it('does not become somebody else by asking', async () => {
    const as = ['Impersonate-User: root', 'Impersonate-Group: system:masters'];
    expect((await send(get(namespace, ...as))).status).toBe(403);
    expect((await send(get(namespace, 'Authorization: Bearer bobtoken', ...as))).status).toBe(403);
    expect(
      (await send(get(namespace, 'Authorization: Bearer bobtoken', 'Impersonate-Group: system:masters'))).status,
    ).toBe(400);
  });
});

describe('the audit log', () => {
  const post = (path: string, body: string) =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      'Connection: close',
      'Authorization: Bearer roottoken',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');

  it('tells who did what, and no secret of anybody', async () => {
    const secret = { metadata: { name: 's' }, stringData: { password: 'very-secret-value' } };
    expect((await send(post('/api/v1/namespaces/default/secrets', JSON.stringify(secret)))).status).toBe(201);
    const review = { spec: { token: 'bobtoken' } };
    expect((await send(post('/apis/authentication.k8s.io/v1/tokenreviews', JSON.stringify(review)))).status).toBe(201);
    await send(get('/api/v1/namespaces/default/secrets', 'Authorization: Bearer roottoken'));
    await send(get('/healthz', 'Authorization: Bearer wrong-token'));
    await expect.poll(() => readFileSync(auditLog, 'utf8')).toContain('"code":401');
    const log = readFileSync(auditLog, 'utf8');
    expect(log).toContain('"username":"root"');
    for (const word of [
      'very-secret-value',
      Buffer.from('very-secret-value').toString('base64'),
      'bobtoken',
      'roottoken',
      'wrong-token',
    ]) {
      expect(log).not.toContain(word);
    }
  });

  it.each([
    ['plain JSON', 'application/json', { kind: 'ConfigMapList', items: [{ data: { listed: 'yes' } }] }],
    [
      'a Table',
      'application/json;as=Table;g=meta.k8s.io;v=v1',
      { kind: 'Table', rows: [{ cells: ['listed', 1, expect.anything()] }] },
    ],
    ['YAML', 'application/yaml', { kind: 'ConfigMapList', items: [{ data: { listed: 'yes' } }] }],
  ])('shows lists as they were answered, as %s', async (form, accept, shown) => {
    const root = 'Authorization: Bearer roottoken';
    const body = JSON.stringify({ metadata: { name: 'listed' }, data: { listed: 'yes' } });
    await send(post('/api/v1/namespaces/default/configmaps', body));
    const id = `list-as-${form.replaceAll(' ', '-')}`;
    const selected = '/api/v1/namespaces/default/configmaps?fieldSelector=metadata.name%3Dlisted';
    await send(get(selected, root, `Accept: ${accept}`, `Audit-ID: ${id}`));
    const told = () =>
      readFileSync(auditLog, 'utf8')
        .split('\n')
        .find((line) => line.includes(id) && line.includes('ResponseComplete'));
    await expect.poll(told).toBeDefined();
    expect(JSON.parse(told() ?? '').responseObject).toMatchObject(shown);
  });
});
